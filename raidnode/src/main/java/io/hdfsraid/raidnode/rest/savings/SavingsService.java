// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.savings;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.savings.SavingsReport;
import io.hdfsraid.raidapi.savings.SavingsReport.Measured;
import io.hdfsraid.raidapi.savings.SavingsReport.Row;
import io.hdfsraid.raidapi.savings.SavingsReport.Skipped;
import io.hdfsraid.raidapi.savings.SavingsTrend;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.SavingsDays;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.files.JudgedFiles;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Computes what raiding saves: expected, in one pass over the catalog, and actual, from the
 * replicas that the NameNode lists for every file under parity or for a sample.
 */
public class SavingsService {
  /** Size of the sample of files whose blocks the NameNode is asked for, one call each. */
  private static final int SAMPLE = 1_000;

  /** Most rows of directories to show. */
  private static final int MOST_ROWS = 100;

  /** Most directories to count separately; files of further directories are counted together. */
  private static final int MOST_DIRECTORIES = 10_000;

  private static final String OTHERS = "(others)";
  private static final int PAGE = 1_000;
  private static final int LOOK = 100_000;

  /**
   * Reasons of files for which stripes of their own would cost as much as the replaced replicas.
   */
  private static final Set<Reason> SMALL =
      Set.of(Reason.TOO_SMALL, Reason.WOULD_NOT_SAVE, Reason.NO_COMPANY);

  /** Most files that HDFS is asked about while somebody waits for the answer. */
  private static final long MOST_MEASURED = 10_000;

  private final Catalog catalog;
  private final JudgedFiles files;
  private final Namespace namespace;
  private final ParityStore parity;
  private final Clock clock;

  public SavingsService(
      Catalog catalog, JudgedFiles files, Namespace namespace, ParityStore parity, Clock clock) {
    this.catalog = catalog;
    this.files = files;
    this.namespace = namespace;
    this.parity = parity;
    this.clock = clock;
  }

  /** Returns what raiding saved, day by day. */
  public SavingsTrend days() {
    return new SavingsDays(catalog).trend();
  }

  /**
   * Returns what raiding saves below a path.
   *
   * @param depth number of directory levels below the path that have a row of their own
   * @param complete ask HDFS for the blocks of every file under parity instead of a sample
   */
  public SavingsReport savings(String below, int depth, boolean complete) throws IOException {
    Count count = new Count(below, depth);
    files.below(below, count::add);
    if (complete) {
      measureAll(below, count);
    } else {
      for (FileRecord file : count.sample) {
        count.measure(file);
      }
    }
    return count.report(below, clock);
  }

  private void measureAll(String below, Count count) throws IOException {
    if (count.total.files > MOST_MEASURED) {
      throw ApiFailure.refused(
          "There are more than %d raided files below %s".formatted(MOST_MEASURED, below),
          "Ask for a smaller directory, or leave 'complete' out: then a sample is measured.");
    }
    Optional<Long> after = Optional.of(-1L);
    while (after.isPresent()) {
      KnownFiles.Page page =
          catalog
              .files()
              .page(
                  Optional.empty(),
                  file ->
                      file.parity().isPresent() && KnownFiles.isBelow(below, file.facts().path()),
                  after.get(),
                  PAGE,
                  LOOK);
      for (FileRecord file : page.files()) {
        count.measure(file);
      }
      after = page.next();
    }
  }

  /** Sums over files that have something in common. */
  private static final class Sum {
    private final String name;
    private long files;
    private long logical;
    private long before;
    private long expected;
    private long parity;
    private long sampled;
    private long expectedOfSampled;
    private long actual;

    Sum(String name) {
      this.name = name;
    }

    void add(FileRecord file, Parity protection) {
      files++;
      logical += file.facts().length();
      before += file.facts().length() * protection.originalReplication();
      expected += expected(file, protection);
      parity += protection.bytes() * protection.parityReplication();
    }

    void measure(long expectedOfFile, long actualOfFile) {
      sampled++;
      expectedOfSampled += expectedOfFile;
      actual += actualOfFile;
    }

    Row row() {
      long onDisk =
          expectedOfSampled == 0 ? 0 : Math.round((double) expected * actual / expectedOfSampled);
      return new Row(
          name,
          files,
          logical,
          before,
          expected,
          parity,
          sampled,
          sampled == files ? actual : onDisk);
    }
  }

  private static long expected(FileRecord file, Parity protection) {
    return file.facts().physicalBytes() + protection.bytes() * protection.parityReplication();
  }

  private final class Count {
    private final String below;
    private final int depth;
    private final Sum total = new Sum("total");
    private final Map<String, Sum> policies = new HashMap<>();
    private final Map<String, Sum> directories = new HashMap<>();
    private final Map<String, Sum> codecs = new HashMap<>();
    private final Map<String, Skipped> skipped = new HashMap<>();
    private Skipped small = new Skipped("small", 0, 0, 0);
    private final List<FileRecord> sample = new ArrayList<>();
    private final Random random =
        new Random(2029); // A fixed seed: the same request samples the same files.
    private long excess;

    Count(String below, int depth) {
      this.below = below;
      this.depth = depth;
    }

    void add(FileRecord file) {
      Optional<Parity> protection = file.parity();
      if (protection.isEmpty()) {
        leave(file);
        return;
      }
      for (Sum sum : sumsOf(file, protection.get())) {
        sum.add(file, protection.get());
      }
      // Each file so far is in the sample with the same probability.
      if (sample.size() < SAMPLE) {
        sample.add(file);
      } else {
        long place = random.nextLong(total.files);
        if (place < SAMPLE) {
          sample.set((int) place, file);
        }
      }
    }

    private List<Sum> sumsOf(FileRecord file, Parity protection) {
      String directory = KnownFiles.directoryOf(file.facts().path(), below, depth);
      if (directories.size() >= MOST_DIRECTORIES && !directories.containsKey(directory)) {
        directory = OTHERS;
      }
      return List.of(
          total,
          policies.computeIfAbsent(SavingsDays.policyOf(file), Sum::new),
          directories.computeIfAbsent(directory, Sum::new),
          codecs.computeIfAbsent(protection.codec(), Sum::new));
    }

    private void leave(FileRecord file) {
      String reason = file.progress().reason().map(Enum::name).orElse(file.state().name());
      skipped.merge(reason, one(reason, file), Count::plus);
      if (file.progress().reason().filter(SMALL::contains).isPresent()) {
        small = plus(small, one("small", file));
      }
    }

    private static Skipped one(String reason, FileRecord file) {
      return new Skipped(reason, 1, file.facts().length(), file.facts().physicalBytes());
    }

    private static Skipped plus(Skipped one, Skipped other) {
      return new Skipped(
          one.reason(),
          one.files() + other.files(),
          one.logicalBytes() + other.logicalBytes(),
          one.physicalBytes() + other.physicalBytes());
    }

    /** Asks the NameNode for the replicas of a file and of its parity. */
    void measure(FileRecord file) throws IOException {
      Optional<LocatedFile> now = namespace.file(file.inode());
      if (now.isEmpty() || file.parity().isEmpty()) {
        return;
      }
      Parity protection = file.parity().get();
      Optional<ParityFile> its = parity.find(file.inode());
      // The parity of a group is not found by a member; the catalog knows the member's share.
      long ofParity =
          its.map(found -> onDisk(found.file()))
              .orElse(protection.bytes() * protection.parityReplication());
      long expected = expected(file, protection);
      long actual = onDisk(now.get()) + ofParity;
      for (Sum sum : sumsOf(file, protection)) {
        sum.measure(expected, actual);
      }
      excess += actual > expected ? 1 : 0;
    }

    SavingsReport report(String path, Clock clock) {
      return new SavingsReport(
          path,
          clock.instant(),
          total.row(),
          rows(policies),
          rows(directories),
          rows(codecs),
          skipped.values().stream()
              .sorted(Comparator.comparingLong(Skipped::logicalBytes).reversed())
              .toList(),
          small,
          new Measured(total.sampled == total.files, total.sampled, total.files, excess));
    }

    private static List<Row> rows(Map<String, Sum> sums) {
      return sums.values().stream()
          .map(Sum::row)
          .sorted(Comparator.comparingLong(Row::logicalBytes).reversed().thenComparing(Row::name))
          .limit(MOST_ROWS)
          .toList();
    }
  }

  /** Returns the bytes of all replicas that the NameNode lists, good or bad. */
  private static long onDisk(LocatedFile file) {
    long bytes = 0;
    for (LocatedBlock block : file.blocks()) {
      bytes += block.block().length() * (block.live().size() + block.corrupt().size());
    }
    return bytes;
  }
}
