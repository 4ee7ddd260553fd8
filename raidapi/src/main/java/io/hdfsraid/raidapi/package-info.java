/**
 * The vocabulary of the daemon's REST API: the records that go over the wire, the paths they are
 * found at, and a client. Knows nothing of HDFS.
 *
 * <p>On the wire: field names as here, instants and durations as ISO 8601 text, sizes in bytes, an
 * absent value as null. A reader ignores fields it does not know, so fields may be added.
 */
package io.hdfsraid.raidapi;
