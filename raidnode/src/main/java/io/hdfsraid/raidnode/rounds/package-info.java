/**
 * What the daemon does again and again: scan the namespace, raid what is cold, attend to what is
 * under way, check every stripe, repair, clean up. A round does what can be done now and ends; it
 * starts from the catalog and from what HDFS shows, so one that was cut off is simply run again.
 */
package io.hdfsraid.raidnode.rounds;
