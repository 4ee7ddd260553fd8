package io.hdfsraid.offline.demo;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.SortedMap;

/**
 * What happened, in figures. What the demo did not come to, because it failed before, is null and
 * not written.
 *
 * @param failure why it did not end well; null when it did
 * @param notProven what does not hold at the end although it should; null before the proof
 * @param filesLeft how many files were left as they were, by reason
 * @param physicalBytesBefore what the DataNodes said they used, checksums included, before raiding
 * @param physicalBytesAfter the same when the excess replicas were gone
 * @param effectiveReplication bytes on disks per byte of data, all files
 * @param effectiveReplicationRaided the same for the raided files and their parity
 * @param smallFiles what became of files that are too small to be raided alone
 * @param unitsMoved replicas moved to spread stripes
 * @param blocksLost as named by the damage, not by who found it
 * @param detectedBy blocks by who noticed their loss first
 * @param blocksRepaired different blocks that were rebuilt and delivered
 * @param bytesReadForRepair from helpers, as the repairer counted them
 * @param bytesSentForRepair by DataNodes while repairs ran, as they counted them: whole chunks of
 *     512 bytes with their checksums, and units that were moved meanwhile
 * @param unitsMovedDuringRepair how many these were, to spread stripes again
 * @param bytesSentByRecipe what they had to send for what the recipes read, counted likewise
 * @param repairs by the number of units the stripe had lost
 * @param singleLosses repairs of full stripes that had lost one unit, by unit
 * @param otherThanPromised stripes whose repair did not read what the recipe for their losses reads
 * @param filesReadDegraded damaged files that gave the right bytes, some of them through parity
 * @param filesVerified files whose bytes, read by a plain client at the end, are the loaded ones
 * @param filesDamaged files whose bytes were wrong or could not be read, at any time
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record DemoReport(
    String codec,
    int dataNodes,
    String failure,
    List<String> notProven,
    Integer filesRaided,
    SortedMap<String, Integer> filesLeft,
    long logicalBytes,
    Long physicalBytesBefore,
    Long physicalBytesAfter,
    Double effectiveReplication,
    Double effectiveReplicationRaided,
    SmallFiles smallFiles,
    Long unitsMoved,
    Integer blocksLost,
    SortedMap<String, Integer> detectedBy,
    Integer blocksRepaired,
    Long bytesReadForRepair,
    Long bytesSentForRepair,
    Long unitsMovedDuringRepair,
    Long bytesSentByRecipe,
    SortedMap<Integer, Repairs> repairs,
    List<SingleLoss> singleLosses,
    List<OtherThanPromised> otherThanPromised,
    Integer filesReadDegraded,
    Integer filesVerified,
    Integer filesDamaged,
    double seconds) {

  /**
   * Files that share parity, by the catalog.
   *
   * @param bytesOnDiskBefore all replicas
   * @param bytesOnDiskAfter all replicas, and the parity
   * @param effectiveReplication bytes on disks per byte of data; null when there are no such files
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
   * @param bytesRebuilt length of the lost units
   * @param bytesPromised what the codec's recipes for just these losses read
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
   * @param blocksRead for each block that was rebuilt, in the mean
   * @param blocksInTable what the table of codecs says for this unit
   */
  record SingleLoss(int unit, int stripes, double blocksRead, double blocksInTable) {
    SingleLoss plus(SingleLoss other) {
      int all = stripes + other.stripes;
      double blocks = (blocksRead * stripes + other.blocksRead * other.stripes) / all;
      return new SingleLoss(unit, all, blocks, blocksInTable);
    }
  }

  /**
   * A stripe whose repair did not read what was promised.
   *
   * @param stripe of the file, counted from 0
   * @param lost units, by the plan of the damage
   */
  record OtherThanPromised(
      String path,
      int stripe,
      List<Integer> lost,
      long bytesPromised,
      long bytesRead,
      String why) {}
}
