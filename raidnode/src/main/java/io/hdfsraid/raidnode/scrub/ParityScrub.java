// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.ScrubRecord;
import io.hdfsraid.raidnode.catalog.ScrubRecord.Progress;
import io.hdfsraid.raidnode.schedule.Failures;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Scrubs one parity file for one minute at a time, so that a large file or a slow node does not
 * hold up others. Progress is stored in the catalog for each stripe, so an interrupted scrub
 * continues.
 */
public final class ParityScrub {
  private static final Duration SLICE = Duration.ofMinutes(1);

  /** When a file that is being reduced is looked at again. */
  private static final Duration UNSETTLED = Duration.ofMinutes(10);

  private final LedgerScrub scrub;
  private final ParityStore parity;
  private final IntegrityCheck check;
  private final Catalog catalog;
  private final ScrubJournal journal;
  private final Clock clock;
  private final ScrubDepth depth;
  private final Duration retryAfter;

  /**
   * Creates a scrub.
   *
   * @param check locates stripes
   */
  public ParityScrub(
      LedgerScrub scrub,
      ParityStore parity,
      IntegrityCheck check,
      Catalog catalog,
      ScrubJournal journal,
      Clock clock) {
    this.scrub = scrub;
    this.parity = parity;
    this.check = check;
    this.catalog = catalog;
    this.journal = journal;
    this.clock = clock;
    this.depth = scrub.depth();
    this.retryAfter = depth == ScrubDepth.DEEP ? Duration.ofDays(1) : Duration.ofHours(1);
  }

  ScrubDepth depth() {
    return depth;
  }

  /** Continues the scrub of one parity file for one slice of time. */
  void scrub(ScrubRecord record, ScrubTally tally) throws IOException {
    try {
      Optional<ParityFile> found = parity.find(record.id());
      if (found.isPresent()) {
        scrub(record, found.get(), tally);
      } else {
        catalog.scrubs().remove(record.id());
        catalog.rotten().forget(record.parityInode());
      }
    } catch (IOException | RuntimeException e) {
      if (Failures.isInterrupt(e)) {
        throw e; // The next run continues after the last stripe.
      }
      journal.postponed(record.id(), e);
      tally.failed(e);
      postpone(record.id(), retryAfter);
      throw e;
    }
  }

  private void postpone(long id, Duration pause) {
    catalog
        .scrubs()
        .update(
            id, known -> known.with(depth, known.at(depth).postpone(clock.instant().plus(pause))));
  }

  /**
   * Whether the NameNode is still about to delete replicas of the file. It lists a condemned
   * replica until its node has reported that it is gone, and who asks that node meanwhile finds
   * nothing.
   */
  private boolean isBeingReduced(long id, ParityFile file) {
    long inode = GroupId.isGroup(id) ? file.manifest().members().get(0).inode() : id;
    return catalog
        .files()
        .find(inode)
        .filter(
            known ->
                known.state() == FileState.COMMITTED
                    || (known.state() == FileState.REDUCED
                        && known.progress().changesAt().isEmpty()))
        .isPresent();
  }

  private void scrub(ScrubRecord before, ParityFile file, ScrubTally tally) throws IOException {
    if (depth == ScrubDepth.DEEP && file.phase() != ParityPhase.REDUCED) {
      // Most replicas of the file, or its parity, are about to be deleted.
      postpone(before.id(), retryAfter);
      return;
    }
    if (isBeingReduced(before.id(), file)) {
      postpone(before.id(), UNSETTLED);
      return;
    }
    Instant began = clock.instant();
    List<LocatedStripe> stripes = check.locate(file);
    Optional<ScrubRecord> record = seen(before, file, stripes);
    if (record.isEmpty()) {
      return;
    }
    Progress progress = record.get().at(depth);
    ScrubReport report = new ScrubReport(depth);
    for (LocatedStripe stripe : stripes) {
      if (!progress.wants(stripe.index())) {
        continue;
      }
      if (report.stripes() > 0 && clock.instant().isAfter(began.plus(SLICE))) {
        tell(before.id(), report, tally);
        return;
      }
      StripeScrub.Seen seen = scrub.scrub(before.id(), file, stripe);
      report.add(seen);
      catalog
          .scrubs()
          .update(
              before.id(),
              known -> known.with(depth, known.at(depth).past(stripe.index(), seen.gaps(), began)));
    }
    tell(before.id(), report, tally);
    Instant retry = clock.instant().plus(retryAfter);
    Optional<ScrubRecord> after =
        catalog
            .scrubs()
            .update(before.id(), known -> known.with(depth, known.at(depth).finish(began, retry)));
    tally.finished(after.flatMap(known -> known.at(depth).retryAt()).isPresent());
  }

  private void tell(long id, ScrubReport report, ScrubTally tally) {
    tally.add(report);
    journal.tellLosses(id, report);
  }

  private Optional<ScrubRecord> seen(
      ScrubRecord before, ParityFile file, List<LocatedStripe> stripes) {
    long inode = file.file().inode();
    if (before.parityInode() != inode) {
      catalog.rotten().forget(before.parityInode());
    }
    long bytes = ScrubCost.of(stripes).bytes();
    return catalog
        .scrubs()
        .update(before.id(), known -> known.seen(inode, bytes, file.file().modified()));
  }
}
