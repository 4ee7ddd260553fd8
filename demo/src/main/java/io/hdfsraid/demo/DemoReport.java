// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.SortedMap;

/**
 * The figures of the demo, as JSON. The script fills them in as it goes; a figure that it has not
 * come to, because it failed before, is null and is not written.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonAutoDetect(fieldVisibility = Visibility.NON_PRIVATE)
final class DemoReport {
  String codec;
  int dataNodes;

  /** The engine that encodes and repairs: {@code local} or {@code yarn}. */
  String engine;

  /** The applications of YARN that have encoded or repaired, if it is an engine. */
  List<String> applications;

  /** Source bytes that their containers have read, as they say. */
  Long bytesReadInContainers;

  /** The reason why the demo did not end well; null if it did. */
  String failure;

  /** The claims that do not hold at the end. */
  List<String> notProven;

  Integer filesRaided;

  /** The number of files that are not raided, by reason. */
  SortedMap<String, Integer> filesLeft;

  long logicalBytes;

  /** Bytes that the DataNodes use, checksums included, before raiding. */
  Long physicalBytesBefore;

  /** Bytes that they use when the excess replicas are deleted. */
  Long physicalBytesAfter;

  /** Bytes on disks per byte of data, for all files. */
  Double effectiveReplication;

  /** Bytes on disks per byte of data, for the raided files and their parity. */
  Double effectiveReplicationRaided;

  SmallFiles smallFiles;

  /** Replicas that were moved to spread stripes over the DataNodes. */
  Long unitsMoved;

  /** Blocks that the damage took. */
  Integer blocksLost;

  /** The number of these blocks by the source that noticed their loss first. */
  SortedMap<String, Integer> detectedBy;

  /** Different blocks that were rebuilt and delivered. */
  Integer blocksRepaired;

  /** Bytes read from helpers, counted by the repairer. */
  Long bytesReadForRepair;

  /**
   * Bytes that DataNodes sent while repairs ran, counted by them: whole chunks of 512 bytes with
   * their checksums, and the units that were moved meanwhile.
   */
  Long bytesSentForRepair;

  Long unitsMovedDuringRepair;

  /** Bytes that DataNodes have to send for the reads of the recipes. */
  Long bytesSentByRecipe;

  /** Repairs by the number of units that the stripe had lost. */
  SortedMap<Integer, Repairs> repairs;

  /** Repairs of full stripes that had lost one unit, by unit. */
  List<SingleLoss> singleLosses;

  /** Stripes whose repair did not read the bytes of the recipe for their losses. */
  List<OtherThanPromised> otherThanPromised;

  /** Damaged files of which some bytes were rebuilt while they were read. */
  Integer filesReadDegraded;

  /** Files whose bytes, read by a plain client at the end, are the loaded ones. */
  Integer filesVerified;

  /** Files whose bytes were wrong or could not be read at any time. */
  Integer filesDamaged;

  double seconds;

  /**
   * The files that share parity.
   *
   * @param effectiveReplication bytes on disks per byte of data; null if there are no such files
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record SmallFiles(
      int files,
      int groups,
      long bytes,
      long bytesOnDiskBefore,
      long bytesOnDiskAfter,
      Double effectiveReplication) {}

  /**
   * Repairs of stripes that had lost the same number of units.
   *
   * @param bytesRebuilt the length of the lost units
   * @param bytesPromised the bytes that the recipes for these losses read
   */
  record Repairs(int stripes, long bytesRebuilt, long bytesPromised, long bytesRead) {
    Repairs plus(Repairs other) {
      return new Repairs(
          stripes + other.stripes,
          bytesRebuilt + other.bytesRebuilt,
          bytesPromised + other.bytesPromised,
          bytesRead + other.bytesRead);
    }
  }

  /**
   * Repairs of full stripes that had lost this unit and no other.
   *
   * @param blocksRead the mean for one rebuilt block
   * @param blocksInTable the figure of the table of codecs
   */
  record SingleLoss(int unit, int stripes, double blocksRead, double blocksInTable) {
    SingleLoss plus(SingleLoss other) {
      int all = stripes + other.stripes;
      double blocks = (blocksRead * stripes + other.blocksRead * other.stripes) / all;
      return new SingleLoss(unit, all, blocks, blocksInTable);
    }
  }

  /** A stripe whose repair did not read the bytes of the recipe for its losses. */
  record OtherThanPromised(
      String path,
      int stripe,
      List<Integer> lost,
      long bytesPromised,
      long bytesRead,
      String why) {}
}
