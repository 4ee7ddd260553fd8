package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.blockfixer.repair.RepairStep;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidnode.catalog.FileStatus;
import io.hdfsraid.raidnode.raid.RaidStep;
import io.hdfsraid.raidnode.raid.UnraidStep;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The daemon's process is halted after each step of raid, unraid, move and repair, and in the
 * middle of the long ones, and another takes up what it left. The steps come from the enums, so a
 * new one is tested without being listed.
 */
class CrashJourneyTest {
  @TempDir private static Path folder;
  private static final Protection RS_3_2 = new Protection("rs-3-2", 1, 1);
  private static final Map<String, byte[]> CONTENTS = new HashMap<>();
  private static final Map<String, LocatedStripe> STRIPES = new HashMap<>();
  private static Journey journey;
  private static Path conf;

  @BeforeAll
  static void start() throws IOException {
    journey = new Journey(9);
    conf = folder.resolve("conf.xml");
    Configuration written = new Configuration(journey.hdfs.configuration());
    try (OutputStream out = Files.newOutputStream(conf)) {
      written.writeXml(out);
    }
    // Side by side, for raiding waits for HDFS most of the time.
    List<String> paths = new ArrayList<>();
    Stream.of(UnraidStep.values()).forEach(step -> paths.add("/unraid/" + step));
    Stream.of(RepairStep.values()).forEach(step -> paths.add("/repair/" + step));
    Stream.of(MoveStep.values()).forEach(step -> paths.add("/move/" + step));
    Stream.of(HaltMoment.values())
        .filter(moment -> moment.after().isPresent())
        .forEach(moment -> paths.add("/moment/" + moment));
    for (String path : paths) {
      CONTENTS.put(path, journey.load(path, 3 * Journey.BLOCK - 5));
    }
    journey.startDaemon(StepListener.NONE);
    try {
      for (String path : paths) {
        journey.rounds().raid().raid(inode(path), RS_3_2, "test");
      }
      for (String path : paths) {
        journey.settle(inode(path), FileStatus.RAIDED);
        STRIPES.put(path, journey.stripes(inode(path)).get(0));
      }
    } finally {
      journey.stopDaemon();
    }
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  @ParameterizedTest
  @EnumSource(RaidStep.class)
  void raidingIsTakenUpAfterAHaltAtAnyStep(RaidStep step) throws Exception {
    raidingIsTakenUp("/raid/" + step, step);
  }

  @ParameterizedTest
  @EnumSource(HaltMoment.class)
  void whatTakesLongIsTakenUpAfterAHaltInTheMiddleOfIt(HaltMoment moment) throws Exception {
    String path = "/moment/" + moment;
    switch (moment) {
      case SOURCE_BYTE, PARITY_BYTE -> raidingIsTakenUp(path, moment);
      case MOVE_WAIT -> aMoveIsTakenUp(path, moment);
      case UNRAID_WAIT -> lettingGoIsTakenUp(path, moment);
    }
  }

  private static void raidingIsTakenUp(String path, Enum<?> where) throws Exception {
    byte[] bytes = journey.load(path, 3 * Journey.BLOCK - 5);
    long inode = inode(path);

    assertThat(halt("raid", inode, where)).as("exit code").isEqualTo(HaltingDaemon.HALTED);
    assertThat(journey.readPlain(path)).as("right after the halt").isEqualTo(bytes);

    journey.startDaemon(StepListener.NONE);
    try {
      journey.rounds().raid().raid(inode, RS_3_2, "test");
      journey.settle(inode, FileStatus.RAIDED);
      journey.rounds().cleanUp().run();
      assertThat(journey.cluster().access().parity().traces())
          .as("after one janitor pass")
          .satisfies(
              traces -> {
                assertThat(traces.drafts()).isZero();
                assertThat(traces.quarantined()).isZero();
                assertThat(traces.foreignEntries()).isZero();
              });
      assertThat(journey.file(path).replication()).isEqualTo(1);
      assertThat(journey.readPlain(path)).isEqualTo(bytes);
    } finally {
      journey.stopDaemon();
    }
  }

  @ParameterizedTest
  @EnumSource(UnraidStep.class)
  void lettingGoIsTakenUpAfterAHaltAtAnyStep(UnraidStep step) throws Exception {
    lettingGoIsTakenUp("/unraid/" + step, step);
  }

  private static void lettingGoIsTakenUp(String path, Enum<?> where) throws Exception {
    byte[] bytes = CONTENTS.get(path);
    long inode = inode(path);

    assertThat(halt("unraid", inode, where)).as("exit code").isEqualTo(HaltingDaemon.HALTED);

    journey.startDaemon(StepListener.NONE);
    try {
      journey.settle(inode, FileStatus.LEFT);
      assertThat(journey.file(path).replication()).isEqualTo(3);
      assertThat(journey.file(path).blocks())
          .allSatisfy(block -> assertThat(block.live()).hasSize(3));
      assertThat(journey.cluster().access().parity().find(inode)).isEmpty();
      assertThat(journey.readPlain(path)).isEqualTo(bytes);
    } finally {
      journey.stopDaemon();
    }
  }

  @ParameterizedTest
  @EnumSource(RepairStep.class)
  void repairIsTakenUpAfterAHaltAtAnyStep(RepairStep step) throws Exception {
    String path = "/repair/" + step;
    byte[] bytes = CONTENTS.get(path);
    long inode = inode(path);
    LocatedStripe stripe = STRIPES.get(path);
    journey.delete(stripe, 1);
    journey.delete(stripe, 3);

    assertThat(halt("repair", inode, step)).as("exit code").isEqualTo(HaltingDaemon.HALTED);

    journey.startDaemon(StepListener.NONE);
    try {
      journey.repair(inode);
      assertThat(journey.readPlain(path)).isEqualTo(bytes);
      assertThat(journey.record(inode)).isPresent();
    } finally {
      journey.stopDaemon();
    }
  }

  @ParameterizedTest
  @EnumSource(MoveStep.class)
  void aMoveIsTakenUpAfterAHaltAtAnyStep(MoveStep step) throws Exception {
    aMoveIsTakenUp("/move/" + step, step);
  }

  private static void aMoveIsTakenUp(String path, Enum<?> where) throws Exception {
    byte[] bytes = CONTENTS.get(path);
    long inode = inode(path);
    crowd(inode);

    assertThat(halt("audit", inode, where)).as("exit code").isEqualTo(HaltingDaemon.HALTED);
    assertThat(journey.readPlain(path)).as("right after the halt").isEqualTo(bytes);

    journey.startDaemon(StepListener.NONE);
    try {
      journey.settle(inode, FileStatus.RAIDED);
      assertThat(nodesOf(inode)).hasSize(5).doesNotHaveDuplicates();
      assertThat(journey.readPlain(path)).isEqualTo(bytes);
    } finally {
      journey.stopDaemon();
    }
  }

  /** Two units of the stripe on one node, as somebody's balancer might leave them. */
  private static void crowd(long inode) throws Exception {
    journey.startDaemon(StepListener.NONE);
    try {
      LocatedStripe stripe = journey.stripes(inode).get(0);
      LocatedBlock moved = stripe.unit(0).located().orElseThrow();
      DataNode crowded = stripe.unit(1).located().orElseThrow().live().get(0).node();
      journey.cluster().mover().move(moved.block(), moved.live().get(0), crowded);
      Journey.until(
          () -> nodesOf(inode).stream().distinct().count() == 4 && nodesOf(inode).size() == 5,
          () -> "two units on %s: %s".formatted(crowded, nodesOf(inode)));
    } finally {
      journey.stopDaemon();
    }
  }

  /** The node of each replica of each unit of the only stripe. */
  private static List<DataNode> nodesOf(long inode) throws IOException {
    return journey.stripes(inode).get(0).units().stream()
        .flatMap(unit -> unit.located().stream())
        .flatMap(block -> block.live().stream().map(Replica::node))
        .toList();
  }

  private static long inode(String path) throws IOException {
    return journey.hdfs.fileSystem().getClient().getFileInfo(path).getFileId();
  }

  private static int halt(String action, long inode, Enum<?> step) throws Exception {
    Path log = folder.resolve("%s-%s.log".formatted(action, step));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                HaltingDaemon.class.getName(),
                conf.toString(),
                journey.catalogFolder().toString(),
                action,
                Long.toString(inode),
                step.name())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("The halting daemon hangs: " + Files.readString(log));
    }
    if (process.exitValue() != HaltingDaemon.HALTED) {
      throw new AssertionError("The halting daemon said: " + Files.readString(log));
    }
    return process.exitValue();
  }
}
