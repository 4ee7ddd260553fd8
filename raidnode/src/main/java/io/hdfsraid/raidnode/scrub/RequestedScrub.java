// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidnode.catalog.ScrubLedger;
import io.hdfsraid.raidnode.catalog.ScrubRecord.Progress;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Scrubs the files and groups that an operator names, at one depth, at once and to their end. */
public final class RequestedScrub {
  /** The age at which the locations of blocks are asked for again. */
  private static final Duration LOCATED = Duration.ofMinutes(1);

  private final LedgerScrub scrub;
  private final ParityStore parity;
  private final IntegrityCheck check;
  private final ReconcileJob reconciler;
  private final ScrubLedger ledger;
  private final ScrubJournal journal;
  private final Clock clock;

  /**
   * Creates a scrub.
   *
   * @param check locates stripes
   * @param reconciler knows the groups of files
   */
  public RequestedScrub(
      LedgerScrub scrub,
      ParityStore parity,
      IntegrityCheck check,
      ReconcileJob reconciler,
      ScrubLedger ledger,
      ScrubJournal journal,
      Clock clock) {
    this.scrub = scrub;
    this.parity = parity;
    this.check = check;
    this.reconciler = reconciler;
    this.ledger = ledger;
    this.journal = journal;
    this.clock = clock;
  }

  /**
   * Scrubs the stripes of a file or of a group and writes a line of history, whatever it finds.
   *
   * @param inode the inode id of a file, or the id of a group. Of a file in a group, the stripes
   *     are scrubbed in which it has blocks.
   */
  public void scrub(long inode, String by) throws IOException {
    scrub(inode, by, stripe -> {});
  }

  /**
   * Works as {@link #scrub(long, String)}.
   *
   * @param progress told of each stripe that was scrubbed
   */
  public void scrub(long inode, String by, Consumer<LocatedStripe> progress) throws IOException {
    long id = reconciler.parityOf(inode);
    Optional<ParityFile> found = parity.find(id);
    if (found.isEmpty()) {
      return;
    }
    ParityFile file = found.get();
    Instant began = clock.instant();
    ScrubReport report = new ScrubReport(scrub.depth());
    List<LocatedStripe> stripes = stripesOf(inode, file);
    Instant located = began;
    try {
      for (int i = 0; i < stripes.size(); i++) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException(
              "Cancelled after %d of %d stripes".formatted(i, stripes.size()));
        }
        if (clock.instant().isAfter(located.plus(LOCATED))) {
          // Locating takes calls for each file, so it is not done for each stripe.
          located = clock.instant();
          stripes = stripesOf(inode, file);
        }
        report.add(scrub.scrub(id, file, stripes.get(i)));
        progress.accept(stripes.get(i));
      }
    } catch (IOException | RuntimeException e) {
      journal.failed(inode, e, by);
      throw e;
    }
    journal.tell(inode, report, by);
    if (!report.hasGaps() && stripes.size() == file.manifest().stripes().size()) {
      Progress done = Progress.NONE.finish(began, began);
      ledger.update(id, known -> known.with(scrub.depth(), done));
    }
  }

  /** Returns the stripes that a request for this file or group scrubs. */
  public List<LocatedStripe> stripesOf(long inode) throws IOException {
    Optional<ParityFile> file = parity.find(reconciler.parityOf(inode));
    return file.isPresent() ? stripesOf(inode, file.get()) : List.of();
  }

  private List<LocatedStripe> stripesOf(long inode, ParityFile file) throws IOException {
    return GroupId.isGroup(inode) || reconciler.parityOf(inode) == inode
        ? check.locate(file)
        : check.locate(file, Set.of(inode));
  }
}
