// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What raiding one file transfers, and how it keeps to its rates. */
@Timeout(60)
class RaidTrafficTest {
  private static final Tuning ONE_BYTE_A_SECOND =
      new Tuning(
          new Tuning.Share(1, 1, Tuning.UNLIMITED),
          Tuning.Share.of(1),
          Tuning.Share.of(1),
          Tuning.Share.of(1),
          Tuning.Share.of(1),
          Tuning.UNLIMITED,
          1,
          Tuning.UNLIMITED,
          Duration.ZERO,
          Tuning.Containers.NONE);

  private static RaidOutcome raid(RaidBench bench) throws IOException {
    return bench.daemon(StepListener.NONE).raider().raid(bench.inode, RaidBench.RS, bytes -> {});
  }

  private static long sum(RaidBench bench, String words) {
    return bench.transferred.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(words))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Test
  void theSourceIsReadOnceAndEachParityUnitIsWrittenOnce() throws IOException {
    try (RaidBench bench = new RaidBench()) {
      assertThat(raid(bench).state()).isEqualTo(FileState.REDUCED);

      int stripes = 2; // 7 blocks: 4 and 3
      assertThat(sum(bench, "RAIDING READ")).isEqualTo(bench.content.length);
      assertThat(sum(bench, "RAIDING WRITTEN")).isEqualTo(stripes * 3L * RaidBench.BLOCK);
      assertThat(sum(bench, "")).isEqualTo(sum(bench, "RAIDING"));
    }
  }

  @Test
  void whatHasAReplicaInOurRackIsReadThere() throws IOException {
    try (RaidBench bench = new RaidBench()) {
      long inOurRack =
          bench.cluster.file(bench.inode).orElseThrow().blocks().stream()
              .filter(
                  block ->
                      block.live().stream()
                          .anyMatch(replica -> replica.node().rack().equals("/rack0")))
              .map(LocatedBlock::block)
              .mapToLong(block -> block.length())
              .sum();
      assertThat(inOurRack).as("the case is there").isBetween(1L, bench.content.length - 1L);

      assertThat(raid(bench).state()).isEqualTo(FileState.REDUCED);

      assertThat(sum(bench, "RAIDING READ SAME_RACK")).isEqualTo(inOurRack);
      assertThat(sum(bench, "RAIDING READ OFF_RACK")).isEqualTo(bench.content.length - inOurRack);
    }
  }

  @Test
  void aRaidThatWaitsForItsRateGoesOnWhenThatIsRaised() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (RaidBench bench = new RaidBench()) {
      bench.traffic.apply(ONE_BYTE_A_SECOND);
      Callable<RaidOutcome> work = () -> raid(bench);
      Future<RaidOutcome> raiding = thread.submit(work);
      while (waiting().isEmpty()) {
        Thread.sleep(1);
      }
      assertThat(sum(bench, "")).as("not one row has passed").isZero();

      bench.traffic.apply(Tuning.workers(1, 1, 1));

      assertThat(raiding.get().state()).isEqualTo(FileState.REDUCED);
      assertThat(sum(bench, "RAIDING READ")).isEqualTo(bench.content.length);
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void questionsForChecksumsWaitForTheirRate() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (RaidBench bench = new RaidBench()) {
      Tuning usual = Tuning.workers(1, 1, 1);
      bench.traffic.apply(
          new Tuning(
              usual.raiding(),
              usual.repair(),
              usual.urgentRepair(),
              usual.moves(),
              usual.scrub(),
              1,
              1,
              0,
              Duration.ZERO,
              Tuning.Containers.NONE));
      LocatedBlock block = bench.cluster.file(bench.inode).orElseThrow().blocks().get(0);
      DataNodes paced = bench.traffic.questions(bench.cluster);
      Future<Integer> asked =
          thread.submit(
              () -> {
                int crc = 0;
                for (int i = 0; i < 1_000; i++) { // at one a second
                  crc = paced.checksum(block.block(), block.live().get(0));
                }
                return crc;
              });
      while (waiting().isEmpty()) {
        Thread.sleep(1);
      }
      assertThat(asked.isDone()).isFalse();

      bench.traffic.apply(usual);

      assertThat(asked.get()).isEqualTo(bench.cluster.checksum(block.block(), block.live().get(0)));
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void whatIsReadToScrubIsCountedAsSuchAndWaitsForItsRate() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (RaidBench bench = new RaidBench()) {
      Tuning usual = Tuning.workers(1, 1, 1);
      bench.traffic.apply(
          new Tuning(
              usual.raiding(),
              usual.repair(),
              usual.urgentRepair(),
              usual.moves(),
              new Tuning.Share(1, 0, 1),
              0,
              1,
              0,
              Duration.ZERO,
              Tuning.Containers.NONE));
      LocatedBlock block = bench.cluster.file(bench.inode).orElseThrow().blocks().get(0);
      DataNodes paced = bench.traffic.reads(Purpose.SCRUB, bench.cluster);
      ByteBuffer bytes = ByteBuffer.allocate(1_000);
      Callable<Void> work =
          () -> {
            try (BlockInput input = paced.open(block.block(), block.live().get(0), 0, 1_000)) {
              input.readFully(bytes);
            }
            return null;
          };
      Future<Void> read = thread.submit(work);
      while (waiting().isEmpty()) {
        Thread.sleep(1);
      }
      assertThat(sum(bench, "")).isZero();

      bench.traffic.apply(usual);

      assertThat(read.get()).isNull();
      assertThat(sum(bench, "SCRUB READ")).isEqualTo(1_000);
    } finally {
      thread.shutdownNow();
    }
  }

  /** Threads that wait for a rate. */
  private static List<String> waiting() {
    List<String> found = new ArrayList<>();
    Thread.getAllStackTraces()
        .forEach(
            (thread, frames) -> {
              for (StackTraceElement frame : frames) {
                if (frame.getClassName().endsWith("traffic.Rate")
                    && thread.getState() == Thread.State.TIMED_WAITING) {
                  found.add(thread.getName());
                }
              }
            });
    return found;
  }
}
