// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.ProcessHdfs;
import io.hdfsraid.tests.daemon.ColdFiles;
import io.hdfsraid.tests.daemon.Until;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of processes with two daemons, under a schedule of faults, while files are written,
 * raided and read: no byte is read that was not written, nothing is lost, and after each fault
 * everything is healthy again. The backlog over time is drawn in {@code target/chaos/backlog.svg}.
 * {@code -Dchaos.minutes=60 -Dchaos.seed=7} sets for how long, and the schedule.
 */
@Tag("full")
@Tag("alone")
class ChaosTest {
  private static final Duration LONG = Duration.ofMinutes(Integer.getInteger("chaos.minutes", 1));
  private static final long SEED = Long.getLong("chaos.seed", 22);

  /** The longest time from the end of a fault until nothing waits any more. */
  private static final Duration HEALED = Duration.ofMinutes(10);

  /** The most reads that end during a fault. */
  private static final int MOST_READS = 100;

  private static final int FILES_EACH = 3;

  /** {@code fsck} answers at once for at most 100 files. */
  private static final int MOST_ROUNDS = 33;

  /** The faults that this machine can have. */
  private final Set<Fault> possible =
      ProcessHdfs.mayMountDisks()
          ? EnumSet.allOf(Fault.class)
          : EnumSet.complementOf(EnumSet.of(Fault.DISK_FULL));

  @TempDir private Path folder;
  private final Random random = new Random(SEED);
  private final List<ColdFiles> written = new CopyOnWriteArrayList<>();
  private final Map<String, List<Double>> healed = new TreeMap<>();
  private final Map<Fault, Integer> suffered = new EnumMap<>(Fault.class);

  @Test
  void whateverFailsNothingIsLostAndAllOfItHeals() throws Exception {
    try (ProcessHdfs hdfs = Daemons.hdfs(possible.contains(Fault.DISK_FULL));
        FileSystem throughLosses = Daemons.throughLosses(hdfs);
        Daemons daemons = new Daemons(hdfs, folder)) {
      Faults faults = new Faults(hdfs, throughLosses, daemons, random);
      write(hdfs);
      awaitCalm(daemons, "before the first fault");
      try (Reads reads = new Reads(throughLosses, written, SEED);
          Backlog backlog = new Backlog(daemons, this::files)) {
        long end = System.nanoTime() + LONG.toNanos();
        try {
          while (System.nanoTime() < end || suffered.size() < possible.size()) {
            suffer(hdfs, daemons, faults, reads, backlog);
          }
        } finally {
          backlog.draw(Path.of("target/chaos/backlog.svg"));
          report(reads);
        }
        assertThat(reads.hasDied()).as("an error has ended the reading").isFalse();
        assertThat(reads.wrong()).isEmpty();
        assertThat(reads.right()).isPositive();
      }
      for (ColdFiles files : written) {
        files.assertWhole();
      }
    }
  }

  private int files() {
    return written.size() * FILES_EACH;
  }

  private void write(ProcessHdfs hdfs) throws Exception {
    if (written.size() < MOST_ROUNDS) {
      String top = "/warehouse/round" + written.size();
      written.add(
          ColdFiles.write(hdfs.fileSystem(), top, FILES_EACH, Daemons.BLOCK, FILES_EACH + 2));
    }
  }

  /** One fault, or two at once, while files are raided. */
  private void suffer(
      ProcessHdfs hdfs, Daemons daemons, Faults faults, Reads reads, Backlog backlog)
      throws Exception {
    Set<Fault> now = EnumSet.of(next());
    if (random.nextInt(3) == 0) {
      Fault other = oneOf(List.copyOf(possible));
      if (now.stream().allMatch(other::mayBeBeside)) {
        now.add(other);
      }
    }
    backlog.mark(now.toString());
    System.out.printf("%s%n", now);
    for (Fault fault : now) {
      faults.begin(fault, written);
    }
    write(hdfs);
    long later = reads.ended() + random.nextInt(MOST_READS);
    Until.holds(() -> reads.hasDied() || reads.ended() >= later, daemons::output);
    for (Fault fault : now) {
      faults.end(fault);
    }
    long begin = System.nanoTime();
    awaitCalm(daemons, now.toString());
    double seconds = (System.nanoTime() - begin) / 1e9;
    System.out.printf("%s: calm after %.1f s%n", now, seconds);
    healed.computeIfAbsent(now.toString(), any -> new ArrayList<>()).add(seconds);
    now.forEach(fault -> suffered.merge(fault, 1, Integer::sum));
  }

  /** Each fault comes before one comes twice. */
  private Fault next() {
    List<Fault> fewest = new ArrayList<>(possible);
    int least =
        fewest.stream().mapToInt(fault -> suffered.getOrDefault(fault, 0)).min().orElseThrow();
    fewest.removeIf(fault -> suffered.getOrDefault(fault, 0) > least);
    return oneOf(fewest);
  }

  private Fault oneOf(List<Fault> faults) {
    return faults.get(random.nextInt(faults.size()));
  }

  private void awaitCalm(Daemons daemons, String after) throws Exception {
    Until.holds(
        () -> Backlog.of(daemons, files()).filter(Backlog.Sample::isEmpty).isPresent(),
        HEALED,
        () -> "seed %d, %s: %s".formatted(SEED, after, daemons.output()));
  }

  private void report(Reads reads) throws Exception {
    String table =
        healed.entrySet().stream()
            .map(
                each -> {
                  List<Double> sorted = each.getValue().stream().sorted().toList();
                  return "%-40s %3d times, calm again after %6.1f s (median), %6.1f s (longest)"
                      .formatted(
                          each.getKey(),
                          sorted.size(),
                          sorted.get(sorted.size() / 2),
                          sorted.get(sorted.size() - 1));
                })
            .collect(Collectors.joining("\n"));
    String verdict =
        "%d files, %d reads: %d wrong, %d refused; seed %d, without %s%n%s%n"
            .formatted(
                files(),
                reads.right(),
                reads.wrong().size(),
                reads.refused(),
                SEED,
                EnumSet.complementOf(EnumSet.copyOf(possible)),
                table);
    System.out.print(verdict);
    Files.writeString(Path.of("target/chaos/verdict.txt"), verdict);
  }
}
