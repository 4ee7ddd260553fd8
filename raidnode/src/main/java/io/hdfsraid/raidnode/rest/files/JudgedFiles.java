// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.files;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.catalog.KnownInOrder;
import io.hdfsraid.raidnode.catalog.SkipReason;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.index.IndexedFacts;
import io.hdfsraid.recency.index.IndexedFile;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * All known files with their progress. Files that the catalog stores are returned as stored; the
 * policies evaluate all others now.
 */
public final class JudgedFiles {
  private static final int KNOWN_AT_ONCE = 1_000;

  private final Catalog catalog;
  private final PoliciesInForce policies;
  private final Recency recency;
  private final Clock clock;

  public JudgedFiles(Catalog catalog, PoliciesInForce policies, Recency recency, Clock clock) {
    this.catalog = catalog;
    this.policies = policies;
    this.recency = recency;
    this.clock = clock;
  }

  /** Returns the file with this inode id; empty if neither the index nor the catalog knows it. */
  public Optional<FileRecord> find(long inode) {
    Optional<FileRecord> known = catalog.files().find(inode);
    return known.isPresent()
        ? known
        : catalog
            .namespace()
            .file(inode)
            .map(file -> judge(file, policies.judge(), recency.tracking()));
  }

  /** Visits all files in the order of inode ids, including those that only their parity shows. */
  void forEach(Consumer<FileRecord> visitor) {
    Judge judge = policies.judge();
    AccessTracking tracking = recency.tracking();
    KnownInOrder known = new KnownInOrder(catalog.files(), -1, visitor);
    catalog
        .namespace()
        .forEach(
            file -> {
              visitor.accept(known.at(file.inode()).orElseGet(() -> judge(file, judge, tracking)));
              return true;
            });
    known.end();
  }

  /** Visits the files at or below a path, in no order. Other files are not evaluated. */
  public void below(String path, Consumer<FileRecord> visitor) {
    if (path.equals("/")) {
      forEach(visitor);
      return;
    }
    Optional<Long> after = Optional.of(-1L);
    while (after.isPresent()) {
      KnownFiles.Page known =
          catalog
              .files()
              .page(
                  Optional.empty(),
                  file -> KnownFiles.isBelow(path, file.facts().path()),
                  after.get(),
                  KNOWN_AT_ONCE,
                  KNOWN_AT_ONCE);
      known.files().forEach(visitor);
      after = known.next();
    }
    Judge judge = policies.judge();
    AccessTracking tracking = recency.tracking();
    catalog
        .namespace()
        .below(
            path,
            file -> {
              if (catalog.files().find(file.inode()).isEmpty()) {
                visitor.accept(judge(file, judge, tracking));
              }
              return true;
            });
  }

  /**
   * A page of files.
   *
   * @param next inode id after which the next page begins; empty at the end
   */
  record Page(List<FileRecord> files, Optional<Long> next) {}

  /**
   * Returns a page of files in the order of inode ids.
   *
   * @param look most files to look at before the page ends
   */
  Page page(Predicate<FileRecord> wanted, long after, int limit, int look) {
    List<FileRecord> found = new ArrayList<>();
    Judge judge = policies.judge();
    AccessTracking tracking = recency.tracking();
    // A file that is not in the index yet is known from its parity only.
    KnownInOrder known = new KnownInOrder(catalog.files(), Math.max(-1, after), file -> {});
    OptionalLong last =
        catalog
            .namespace()
            .page(
                after,
                look,
                file -> {
                  Optional.of(known.at(file.inode()).orElseGet(() -> judge(file, judge, tracking)))
                      .filter(wanted)
                      .ifPresent(found::add);
                  return found.size() < limit;
                });
    return new Page(found, last.isPresent() ? Optional.of(last.getAsLong()) : Optional.empty());
  }

  private FileRecord judge(IndexedFile file, Judge judge, AccessTracking tracking) {
    FileFacts facts = catalog.reheats().complete(IndexedFacts.of(file));
    Verdict verdict = judge.verdict(facts, tracking);
    FileProgress progress =
        verdict instanceof Verdict.RaidTogether && SkipReason.NO_COMPANY.holds(file)
            ? FileProgress.left(
                Reason.NO_COMPANY,
                Reason.NO_COMPANY.sentence(),
                verdict.decidedBy().orElseThrow().name(),
                clock.instant())
            : FileProgress.by(verdict, clock.instant());
    return new FileRecord(facts, progress, Optional.empty(), clock.instant());
  }
}
