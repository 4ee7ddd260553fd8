/**
 * The main job on an HDFS in this process, for a newcomer to see: load, raid, damage, read, repair,
 * prove. {@link io.hdfsraid.offline.demo.Demo} tells the story; everything that works in it is the
 * product itself.
 */
package io.hdfsraid.offline.demo;
