package io.hdfsraid.offline.demo;

import java.util.SortedMap;

/**
 * What happened, in figures.
 *
 * @param filesLeft how many files were left as they were, by reason
 * @param physicalBytesBefore what the DataNodes said they used, checksums included, before raiding
 * @param physicalBytesAfter the same when the excess replicas were gone
 * @param effectiveReplication bytes on disks per byte of data, all files
 * @param effectiveReplicationRaided the same for the raided files and their parity
 * @param unitsMoved replicas moved to spread stripes
 * @param blocksLost as named by the damage, not by who found it
 * @param detectedBy blocks by who noticed their loss first
 * @param blocksRepaired different blocks that were rebuilt and delivered
 * @param repairs by the number of units the stripe had lost
 * @param filesReadDegraded damaged files that gave the right bytes, some of them through parity
 * @param filesVerified files whose bytes, read by a plain client at the end, are the loaded ones
 * @param filesDamaged files whose bytes were wrong or could not be read, at any time
 */
record DemoReport(
    String codec,
    int dataNodes,
    int filesRaided,
    SortedMap<String, Integer> filesLeft,
    long logicalBytes,
    long physicalBytesBefore,
    long physicalBytesAfter,
    double effectiveReplication,
    double effectiveReplicationRaided,
    long unitsMoved,
    int blocksLost,
    SortedMap<String, Integer> detectedBy,
    int blocksRepaired,
    long bytesReadForRepair,
    SortedMap<Integer, Repairs> repairs,
    int filesReadDegraded,
    int filesVerified,
    int filesDamaged,
    double seconds) {

  /** Repairs of stripes that had lost the same number of units. */
  record Repairs(int stripes, long bytesRead) {
    Repairs plus(Repairs other) {
      return new Repairs(stripes + other.stripes, bytesRead + other.bytesRead);
    }
  }
}
