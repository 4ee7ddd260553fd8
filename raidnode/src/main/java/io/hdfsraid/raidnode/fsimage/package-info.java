/**
 * The image that a NameNode writes of its namespace, read and written as a stream: neither takes
 * more heap for a larger one. Knows the format and nothing of who keeps images.
 */
package io.hdfsraid.raidnode.fsimage;
