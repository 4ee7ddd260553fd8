package io.hdfsraid.offline.demo;

import io.hdfsraid.offline.demo.DemoReport.OtherThanPromised;
import io.hdfsraid.offline.demo.DemoReport.Repairs;
import io.hdfsraid.offline.demo.DemoReport.SingleLoss;
import io.hdfsraid.offline.demo.DemoReport.SmallFiles;
import java.util.List;
import java.util.SortedMap;

/**
 * The report as it grows, step by step: what is not known yet is null. So there is one to be
 * written also when the demo fails. Used by one thread.
 */
final class ReportDraft {
  private final DemoSettings settings;

  List<String> notProven;
  Integer filesRaided;
  SortedMap<String, Integer> filesLeft;
  Long physicalBytesBefore;
  Long physicalBytesAfter;
  Double effectiveReplicationRaided;
  SmallFiles smallFiles;
  Long unitsMoved;
  Integer blocksLost;
  SortedMap<String, Integer> detectedBy;
  Integer blocksRepaired;
  Long bytesReadForRepair;
  Long bytesSentForRepair;
  Long unitsMovedDuringRepair;
  Long bytesSentByRecipe;
  SortedMap<Integer, Repairs> repairs;
  List<SingleLoss> singleLosses;
  List<OtherThanPromised> otherThanPromised;
  Integer filesReadDegraded;
  Integer filesVerified;
  Integer filesDamaged;

  ReportDraft(DemoSettings settings) {
    this.settings = settings;
  }

  /**
   * The report on what is known.
   *
   * @param failure null when all ended well
   */
  DemoReport report(String failure, double seconds) {
    long logical = settings.data().bytes();
    return new DemoReport(
        settings.codec().name(),
        settings.dataNodes(),
        failure,
        notProven,
        filesRaided,
        filesLeft,
        logical,
        physicalBytesBefore,
        physicalBytesAfter,
        physicalBytesAfter == null ? null : (double) physicalBytesAfter / logical,
        effectiveReplicationRaided,
        smallFiles,
        unitsMoved,
        blocksLost,
        detectedBy,
        blocksRepaired,
        bytesReadForRepair,
        bytesSentForRepair,
        unitsMovedDuringRepair,
        bytesSentByRecipe,
        repairs,
        singleLosses,
        otherThanPromised,
        filesReadDegraded,
        filesVerified,
        filesDamaged,
        seconds);
  }
}
