// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.EvaluationReport;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.KnownInOrder;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.SkipReason;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.index.IndexedFacts;
import io.hdfsraid.recency.index.IndexedFile;
import io.hdfsraid.recency.index.NamespaceIndex;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Updates the index of the namespace, then judges every file in it and counts the verdicts. It also
 * renews the catalog records of files with parity and of files that raiding has refused.
 */
public final class EvaluationJob {
  private static final Logger LOG = LoggerFactory.getLogger(EvaluationJob.class);

  /**
   * The number of changes that are held in memory: the index cannot be changed while its files are
   * visited.
   */
  private static final int PAGE = 10_000;

  /**
   * How long the mark of a file that an operator has unraided outlives its absence. A file that is
   * moved during a listing, for example, is found by the next listing.
   */
  private static final Duration MARK_OUTLIVES_ABSENCE = Duration.ofDays(7);

  private static final Duration SEEN_EACH = Duration.ofDays(1);
  private static final Duration REFUSAL_STANDS = Duration.ofDays(7);

  /** How long raiding would find the same again. */
  private final Map<Reason, Duration> foundByRaiding;

  private final Recency recency;
  private final Catalog catalog;
  private final NamespaceIndex index;
  private final PoliciesInForce policies;
  private final Clock clock;

  /**
   * Creates a job.
   *
   * @param retryAfter how long a file is left alone after a DataNode kept it from being raided
   */
  public EvaluationJob(
      Recency recency,
      Catalog catalog,
      PoliciesInForce policies,
      Duration retryAfter,
      Clock clock) {
    this.foundByRaiding =
        Map.of(
            Reason.MANIFEST_TOO_LARGE, REFUSAL_STANDS,
            Reason.IN_SNAPSHOT, REFUSAL_STANDS,
            Reason.OTHER_CHECKSUM, REFUSAL_STANDS,
            Reason.REPLICA_UNPROVEN, retryAfter,
            Reason.PARITY_CROWDED, retryAfter);
    this.recency = recency;
    this.catalog = catalog;
    this.index = catalog.namespace();
    this.policies = policies;
    this.clock = clock;
  }

  /**
   * What a scan found.
   *
   * @param forgotten files that are gone
   */
  public record Scanned(long files, long candidates, long forgotten) {}

  /** Brings the index up to date, then judges all files. */
  public synchronized Scanned scan() throws IOException {
    Instant began = now();
    long removed = recency.refresh();
    Pass pass = new Pass(began);
    pass.run();
    Scanned scanned = new Scanned(pass.files, pass.evaluation.candidates(), removed);
    catalog.notes().instant(Notes.LAST_SCAN, began);
    LOG.atInfo()
        .addKeyValue("files", scanned.files())
        .addKeyValue("candidates", scanned.candidates())
        .addKeyValue("forgotten", scanned.forgotten())
        .log("namespace scanned");
    return scanned;
  }

  /** Judges what the index knows already; after the policies have changed, for example. */
  public synchronized void evaluate() {
    new Pass(now()).run();
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /**
   * One pass through all files, by inode id. It does not overwrite what happens to them meanwhile.
   */
  private final class Pass {
    private final Instant began;
    private final NamespaceEvaluation evaluation =
        new NamespaceEvaluation(policies.judge(), recency.tracking());
    private final KnownInOrder known = new KnownInOrder(catalog.files(), -1, this::vanished);
    private final Map<FileRecord, FileRecord> renewed = new HashMap<>();
    private final Map<Long, SkipReason> skipReasons = new HashMap<>();
    private final List<Long> ranked = new ArrayList<>();
    private final List<Long> settled = new ArrayList<>();
    private long files;

    Pass(Instant began) {
      this.began = began;
    }

    void run() {
      OptionalLong next = OptionalLong.of(Long.MIN_VALUE);
      while (next.isPresent()) {
        next = index.page(next.getAsLong(), PAGE, this::take);
        write();
      }
      end();
    }

    private boolean take(IndexedFile file) {
      files++;
      Optional<FileRecord> record = known.at(file.inode());
      FileFacts listed = catalog.reheats().complete(IndexedFacts.of(file));
      if (record.filter(this::isKept).isPresent()) {
        keep(record.get(), listed, file);
      } else {
        record.ifPresent(this::forget);
        count(listed, file);
      }
      return true;
    }

    private boolean isKept(FileRecord record) {
      return record.parity().isPresent()
          || record.facts().is(Trait.UNRAIDED_BY_OPERATOR)
          || wasRefusedLately(record);
    }

    private void keep(FileRecord record, FileFacts listed, IndexedFile file) {
      if (catalog.files().newcomers().contains(record.inode())) {
        settled.add(record.inode());
      }
      FileRecord now = renew(record, listed);
      if (!now.facts().equals(record.facts())
          || !now.progress().equals(record.progress())
          || (record.facts().is(Trait.UNRAIDED_BY_OPERATOR)
              && record.seen().plus(SEEN_EACH).isBefore(began))) {
        renewed.put(record, now);
      }
      SkipReason wanted = record.parity().isPresent() ? SkipReason.RAIDED : SkipReason.REFUSED;
      if (!wanted.holds(file)) {
        skipReasons.put(file.inode(), wanted);
      }
    }

    private FileRecord renew(FileRecord record, FileFacts listed) {
      OptionalInt kept = record.facts().snapshotReplication();
      // The index does not know how many replicas a snapshot keeps, so an earlier finding of
      // raiding counts for a while.
      FileFacts facts =
          record.complete(kept.isPresent() ? listed.inSnapshot(kept.getAsInt()) : listed);
      FileRecord now = record.with(facts, began);
      return record.parity().isEmpty() && facts.is(Trait.UNRAIDED_BY_OPERATOR)
          ? now.with(
              FileProgress.by(evaluation.verdict(facts), clock.instant()).after(record.progress()))
          : now;
    }

    private void count(FileFacts facts, IndexedFile file) {
      Verdict verdict = evaluation.verdict(facts);
      if (SkipReason.NO_COMPANY.holds(file) && verdict instanceof Verdict.RaidTogether) {
        evaluation.count(facts, verdict, Optional.of(Reason.NO_COMPANY));
        return; // until a run of raiding finds other files for its group
      }
      evaluation.count(facts, verdict, verdict.whyNot());
      if (file.skipTag().isPresent() && PermanentReasons.mayPass(verdict)) {
        ranked.add(file.inode());
      }
    }

    private void vanished(FileRecord record) {
      boolean mayComeBack =
          record.facts().is(Trait.UNRAIDED_BY_OPERATOR)
              && record.seen().plus(MARK_OUTLIVES_ABSENCE).isAfter(began);
      if (record.parity().isEmpty() && !mayComeBack) {
        forget(record);
      }
    }

    private void forget(FileRecord record) {
      catalog.files().forget(record.inode(), record::equals);
    }

    private void write() {
      catalog.files().replaceUnchanged(renewed);
      renewed.clear();
      skipReasons.forEach((inode, why) -> index.skip(inode, why.tag()));
      skipReasons.clear();
      ranked.forEach(index::unskip);
      ranked.clear();
    }

    private void end() {
      known.end();
      write();
      catalog
          .notes()
          .record(Notes.EVALUATION, new EvaluationReport(began, files, evaluation.lines()));
      catalog.files().newcomers().settle(settled);
      if (files > 0) {
        // An index that was lost and knows nothing yet says nothing about what is gone.
        catalog
            .reheats()
            .retain(
                inode -> index.file(inode).isPresent() || catalog.files().find(inode).isPresent());
      }
    }
  }

  /** Raiding has found that it cannot be done, at some cost; it would find the same again. */
  private boolean wasRefusedLately(FileRecord file) {
    return file.state() == FileState.LEFT
        && file.progress()
            .reason()
            .map(foundByRaiding::get)
            .filter(stands -> file.progress().since().plus(stands).isAfter(clock.instant()))
            .isPresent()
        && file.facts().modified().isBefore(file.progress().since());
  }
}
