// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.repair.IntegrityJob;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.upkeep.DailyTurn;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Prints what a round of the integrity check costs a real HDFS, with as many files as {@code
 * -Dround.files} says. The NameNode is in the same process, on the same processors.
 */
@Tag("full")
class IntegrityRoundTest {
  private static final int FILES = Integer.getInteger("round.files", 500);
  private static final int IN_DIRECTORY = 100;
  private static final int WORKERS = 4;
  private static final Protection RS = new Protection("rs-3-2", 1, 1);

  private interface Round {
    void run() throws IOException;
  }

  @Test
  void aRoundOfManyFilesIsTimed() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WORKERS);
    try (Journey journey = new Journey(9)) {
      journey.startDaemon(
          StepListener.NONE,
          new Policies(List.of(), List.of(), 0),
          Journey.settings(Tuning.workers(WORKERS, WORKERS, WORKERS), 2));
      List<Long> inodes = raidAll(journey, threads);
      Journey.until(
          Duration.ofMinutes(10),
          () -> {
            journey.jobs().upkeep().reconciler().run();
            return inodes.stream()
                .allMatch(inode -> journey.record(inode).orElseThrow().state() == FileState.RAIDED);
          },
          () -> "all files to be raided");
      IntegrityJob job = journey.jobs().detection().integrity();
      job.run();

      time("full", journey, job::run);
      Instant now = Instant.now();
      time("settled and skipped", journey, () -> job.run(new DailyTurn(now, now)));
      assertThat(journey.catalog().repairs().atRisk()).isZero();
    } finally {
      threads.shutdownNow();
    }
  }

  private static List<Long> raidAll(Journey journey, ExecutorService threads) throws Exception {
    List<Callable<Long>> tasks = new ArrayList<>();
    for (int file = 0; file < FILES; file++) {
      String path = "/warehouse/db/table/dt=%d/%d".formatted(file / IN_DIRECTORY, file);
      journey.load(path, 1_000);
      tasks.add(
          () -> {
            long inode = journey.file(path).inode();
            journey.jobs().select().raider().raid(inode, RS, "test");
            return inode;
          });
    }
    List<Long> inodes = new ArrayList<>();
    for (Future<Long> raided : threads.invokeAll(tasks)) {
      inodes.add(raided.get());
    }
    return inodes;
  }

  private static void time(String what, Journey journey, Round round) throws IOException {
    Map<String, Long> before = journey.hdfs.nameNodeCalls();
    long ownBefore = ownNanos();
    long start = System.nanoTime();
    round.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    double ownMillis = (ownNanos() - ownBefore) / 1e6;
    Map<String, Long> calls = new TreeMap<>(journey.hdfs.nameNodeCalls());
    before.forEach((call, count) -> calls.merge(call, -count, Long::sum));
    calls.values().removeIf(count -> count == 0);
    long sum = calls.values().stream().mapToLong(Long::longValue).sum();
    System.out.printf(
        Locale.ROOT,
        "Integrity round (%s) of %d files: %.2f s, %d calls, %.0f calls a second,"
            + " %.2f calls a file, %.2f ms of the workers' processors a file: %s%n",
        what,
        FILES,
        seconds,
        sum,
        sum / seconds,
        (double) sum / FILES,
        ownMillis / FILES,
        calls);
  }

  /** The processor time of all threads of the daemon's pools, without those of Hadoop's client. */
  private static long ownNanos() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long nanos = 0;
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().startsWith("raid-")) {
        nanos += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return nanos;
  }
}
