package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.parity.Footprint;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.RegroupStep;
import io.hdfsraid.tests.journeys.CrashCase.Work;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * As {@link CrashJourneyTest}, for files that share parity: the daemon's process is halted after
 * each step of raiding them together and of encoding them again, and another takes up what all of
 * them left.
 */
@Tag("full")
class GroupCrashJourneyTest {
  private static final int FILES = 7;

  @TempDir private static java.nio.file.Path folder;
  private static final Map<String, byte[]> CONTENTS = new TreeMap<>();
  private static final Map<RegroupStep, Long> BEFORE = new EnumMap<>(RegroupStep.class);
  private static Journey journey;
  private static java.nio.file.Path conf;
  private static Footprint afterRaids;
  private static Footprint afterRegrouping;

  @BeforeAll
  static void dieEverywhere() throws Exception {
    journey = new Journey(9);
    conf = folder.resolve("conf.xml");
    Configuration written = new Configuration(journey.hdfs.configuration());
    try (OutputStream out = Files.newOutputStream(conf)) {
      written.writeXml(out);
    }
    for (RaidStep step : RaidStep.values()) {
      load(directory(step));
      halt(Work.RAID_TOGETHER, inodes(directory(step)), step);
      assertReadable(directory(step));
    }
    journey.startDaemon(StepListener.NONE);
    for (RaidStep step : RaidStep.values()) {
      raidTogether(step);
    }
    for (RegroupStep step : RegroupStep.values()) {
      load(directory(step));
      raidTogether(step);
    }
    allRaided();
    journey.jobs().upkeep().cleanUp().run();
    afterRaids = journey.cluster().access().parity().footprint();

    for (RegroupStep step : RegroupStep.values()) {
      BEFORE.put(step, onlyParityOf(inodes(directory(step))));
    }
    journey.stopDaemon();
    for (RegroupStep step : RegroupStep.values()) {
      journey.hdfs.fileSystem().delete(new Path(deleted(step)), false);
      CONTENTS.remove(deleted(step));
      try (OutputStream out = journey.hdfs.fileSystem().append(new Path(appended(step)))) {
        out.write(1);
      }
      CONTENTS.remove(appended(step));
      halt(Work.REGROUP, List.of(BEFORE.get(step)), step);
      assertReadable(directory(step));
    }
    journey.startDaemon(StepListener.NONE);
    Journey.until(
        () -> {
          for (long group : BEFORE.values()) {
            journey.jobs().upkeep().reconciler().reconcile(group, "test");
          }
          return BEFORE.values().stream().noneMatch(GroupCrashJourneyTest::isThere);
        },
        () -> "all of %s to have handed over".formatted(BEFORE));
    allRaided();
    journey.jobs().upkeep().cleanUp().run();
    afterRegrouping = journey.cluster().access().parity().footprint();
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  private static String directory(Enum<?> step) {
    return "/%s/%s".formatted(step.getDeclaringClass().getSimpleName(), step);
  }

  private static String deleted(RegroupStep step) {
    return directory(step) + "/1";
  }

  private static String appended(RegroupStep step) {
    return directory(step) + "/3";
  }

  /** Of odd lengths; the last has two blocks. */
  private static void load(String directory) throws IOException {
    for (int i = 0; i < FILES; i++) {
      String path = directory + "/" + i;
      int length = i == FILES - 1 ? Journey.BLOCK + 777 : 10_007 + 7_001 * i;
      CONTENTS.put(path, journey.load(path, length));
    }
  }

  /** Those that are still what was loaded. */
  private static List<String> paths(String directory) {
    return CONTENTS.keySet().stream().filter(path -> path.startsWith(directory + "/")).toList();
  }

  private static List<Long> inodes(String directory) throws IOException {
    List<Long> inodes = new ArrayList<>();
    for (String path : paths(directory)) {
      inodes.add(journey.hdfs.fileSystem().getClient().getFileInfo(path).getFileId());
    }
    return inodes;
  }

  private static void halt(Work work, List<Long> subject, Enum<?> step) throws Exception {
    // One by one: the numbers of groups are given by one daemon.
    HaltingDaemon.start(
        conf,
        journey.catalogFolder(),
        folder,
        List.of(new HaltingDaemon.Task(work, subject, step)));
  }

  private static void raidTogether(Enum<?> step) throws IOException {
    journey
        .jobs()
        .select()
        .raider()
        .raidTogether(inodes(directory(step)), CrashCase.RS_3_2, "test");
  }

  private static void allRaided() throws IOException {
    List<Long> inodes = new ArrayList<>();
    for (RaidStep step : RaidStep.values()) {
      inodes.addAll(inodes(directory(step)));
    }
    for (RegroupStep step : RegroupStep.values()) {
      inodes.addAll(inodes(directory(step)));
    }
    Journey.until(
        () -> {
          journey.jobs().upkeep().reconciler().run();
          return inodes.stream().allMatch(GroupCrashJourneyTest::isRaided);
        },
        () ->
            "all to be raided; not yet: %s"
                .formatted(inodes.stream().filter(inode -> !isRaided(inode)).toList()));
  }

  private static boolean isRaided(long inode) {
    return journey.record(inode).map(FileRecord::state).equals(Optional.of(FileState.RAIDED));
  }

  private static boolean isThere(long parity) {
    try {
      return journey.cluster().access().parity().find(parity).isPresent();
    } catch (IOException e) {
      return true;
    }
  }

  private static void assertReadable(String directory) throws IOException {
    for (String path : paths(directory)) {
      assertThat(journey.readPlain(path)).as(path).isEqualTo(CONTENTS.get(path));
    }
  }

  private static ParityFile assertRaidedTogether(Enum<?> step) throws IOException {
    List<Long> inodes = inodes(directory(step));
    for (String path : paths(directory(step))) {
      assertThat(journey.file(path).replication()).as(path).isEqualTo(1);
    }
    assertReadable(directory(step));
    long group = onlyParityOf(inodes);
    assertThat(GroupId.isGroup(group)).isTrue();
    ParityFile parity = journey.cluster().access().parity().find(group).orElseThrow();
    assertThat(parity.manifest().members().stream().map(Member::inode))
        .containsExactlyInAnyOrderElementsOf(inodes);
    return parity;
  }

  /** Whatever the catalog says. */
  private static long onlyParityOf(List<Long> inodes) throws IOException {
    List<Long> ids = new ArrayList<>();
    journey.cluster().access().parity().forEach(ids::add);
    List<Long> naming = new ArrayList<>();
    for (long id : ids) {
      ParityFile parity = journey.cluster().access().parity().find(id).orElseThrow();
      if (parity.manifest().members().stream().map(Member::inode).anyMatch(inodes::contains)) {
        naming.add(id);
      }
    }
    assertThat(naming).as("parity of inodes %s", inodes).hasSize(1);
    return naming.get(0);
  }

  @ParameterizedTest
  @EnumSource(RaidStep.class)
  void raidingTogetherIsTakenUpAfterAHaltAtAnyStep(RaidStep step) throws Exception {
    assertRaidedTogether(step);
  }

  @ParameterizedTest
  @EnumSource(RegroupStep.class)
  void encodingAGroupAgainIsTakenUpAfterAHaltAtAnyStep(RegroupStep step) throws Exception {
    assertRaidedTogether(step);
    assertThat(journey.file(appended(step)).replication()).isEqualTo(3);
    assertThat(journey.file(appended(step)).blocks())
        .allSatisfy(block -> assertThat(block.live()).hasSize(3));
  }

  @Test
  void oneJanitorPassLeavesNothingOfWhatDied() {
    for (Footprint footprint : List.of(afterRaids, afterRegrouping)) {
      assertThat(footprint.drafts()).isZero();
      assertThat(footprint.quarantined()).isZero();
      assertThat(footprint.foreignEntries()).isZero();
    }
  }
}
