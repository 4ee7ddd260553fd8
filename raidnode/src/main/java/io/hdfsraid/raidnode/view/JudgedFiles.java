package io.hdfsraid.raidnode.view;

import io.hdfsraid.policies.AccessTracking;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.catalog.KnownInOrder;
import io.hdfsraid.raidnode.catalog.Standing;
import io.hdfsraid.raidnode.catalog.namespace.IndexedFile;
import io.hdfsraid.raidnode.recency.Aside;
import io.hdfsraid.raidnode.recency.IndexedFacts;
import io.hdfsraid.raidnode.recency.Recency;
import io.hdfsraid.raidnode.rounds.PoliciesInForce;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * All files there are, each with its standing: those that the catalog knows one by one as they
 * stand there, all others as the policies decide now.
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

  /** The file with this inode id; empty when neither index nor catalog knows it. */
  public Optional<FileRecord> find(long inode) {
    Optional<FileRecord> known = catalog.files().find(inode);
    return known.isPresent()
        ? known
        : catalog
            .namespace()
            .file(inode)
            .map(file -> judge(file, policies.judge(), recency.tracking()));
  }

  /** Visits all files, by inode id; also those that only their parity tells of. */
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

  /** Visits the files at or below a path, in no order; others are not judged. */
  void below(String path, Consumer<FileRecord> visitor) {
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
   * Some files of many.
   *
   * @param next inode id after which the next page begins; empty at the end
   */
  record Page(List<FileRecord> files, Optional<Long> next) {}

  /**
   * A page of files by inode id.
   *
   * @param look how many to look at, at most, before the page ends without being full
   */
  Page page(Predicate<FileRecord> wanted, long after, int limit, int look) {
    List<FileRecord> found = new ArrayList<>();
    Judge judge = policies.judge();
    AccessTracking tracking = recency.tracking();
    // What is not in the index yet is known by its parity alone.
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
    Standing standing =
        verdict instanceof Verdict.RaidTogether && Aside.NO_COMPANY.holds(file)
            ? Standing.left(
                Reason.NO_COMPANY,
                Reason.NO_COMPANY.sentence(),
                verdict.decidedBy().orElseThrow().name(),
                clock.instant())
            : Standing.by(verdict, clock.instant());
    return new FileRecord(facts, standing, Optional.empty(), clock.instant());
  }
}
