// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.raiding.core.RegroupStep;
import io.hdfsraid.tests.journeys.CrashCase.Work;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;

/** A directory of small files for each step at which a daemon is stopped, all on one HDFS. */
final class GroupDirectories {
  private static final int FILES = 7;

  private final Map<String, byte[]> contents = new TreeMap<>();
  private final Map<RegroupStep, Long> before = new EnumMap<>(RegroupStep.class);
  private final Journey journey;

  GroupDirectories(Journey journey) {
    this.journey = journey;
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

  /** Loads files of odd lengths; the last has two blocks. */
  void load(Enum<?> step) throws IOException {
    for (int i = 0; i < FILES; i++) {
      String path = directory(step) + "/" + i;
      int length = i == FILES - 1 ? Journey.BLOCK + 777 : 10_007 + 7_001 * i;
      contents.put(path, journey.load(path, length));
    }
  }

  /** Deletes a member and appends to another one. The group has been raided. */
  void change(RegroupStep step) throws IOException {
    before.put(step, onlyParityOf(inodes(step)));
    journey.hdfs.fileSystem().delete(new Path(deleted(step)), false);
    contents.remove(deleted(step));
    try (OutputStream out = journey.hdfs.fileSystem().append(new Path(appended(step)))) {
      out.write(1);
    }
    contents.remove(appended(step));
  }

  /** What brings a daemon to that step. */
  DaemonWork.Task task(Enum<?> step) throws IOException {
    return step instanceof RegroupStep
        ? new DaemonWork.Task(Work.REGROUP, List.of(before.get(step)), step.name())
        : new DaemonWork.Task(Work.RAID_TOGETHER, inodes(step), step.name());
  }

  void raidTogether(Enum<?> step) throws IOException {
    journey.jobs().select().raider().raidTogether(inodes(step), CrashCase.RS_3_2, "test");
  }

  /** Waits until what has changed is encoded again and the old parity is retired. */
  void awaitSuccessors() throws IOException {
    Journey.until(
        () -> {
          for (long group : before.values()) {
            journey.jobs().upkeep().reconciler().reconcile(group, "test");
          }
          return before.values().stream().noneMatch(this::isThere);
        },
        () -> "all of %s to have handed over".formatted(before));
  }

  /** Waits until all files that are still what was loaded are raided. */
  void awaitRaided() throws IOException {
    List<Long> inodes = inodesBelow("/");
    Journey.until(
        () -> {
          journey.jobs().upkeep().reconciler().run();
          return inodes.stream().allMatch(this::isRaided);
        },
        () ->
            "all to be raided; not yet: %s"
                .formatted(inodes.stream().filter(inode -> !isRaided(inode)).toList()));
  }

  private boolean isRaided(long inode) {
    return journey.record(inode).map(FileRecord::state).equals(Optional.of(FileState.RAIDED));
  }

  private boolean isThere(long parity) {
    try {
      return journey.cluster().access().parity().find(parity).isPresent();
    } catch (IOException e) {
      return true;
    }
  }

  /** Those that are still what was loaded. */
  private List<String> paths(String below) {
    return contents.keySet().stream().filter(path -> path.startsWith(below)).toList();
  }

  private List<Long> inodes(Enum<?> step) throws IOException {
    return inodesBelow(directory(step) + "/");
  }

  private List<Long> inodesBelow(String directory) throws IOException {
    List<Long> inodes = new ArrayList<>();
    for (String path : paths(directory)) {
      inodes.add(journey.hdfs.fileSystem().getClient().getFileInfo(path).getFileId());
    }
    return inodes;
  }

  void assertReadable(Enum<?> step) throws IOException {
    for (String path : paths(directory(step) + "/")) {
      assertThat(journey.readPlain(path)).as(path).isEqualTo(contents.get(path));
    }
  }

  void assertRaidedTogether(Enum<?> step) throws IOException {
    List<Long> inodes = inodes(step);
    for (String path : paths(directory(step) + "/")) {
      assertThat(journey.file(path).replication()).as(path).isEqualTo(1);
    }
    assertReadable(step);
    long group = onlyParityOf(inodes);
    assertThat(GroupId.isGroup(group)).isTrue();
    ParityFile parity = journey.cluster().access().parity().find(group).orElseThrow();
    assertThat(parity.manifest().members().stream().map(Member::inode))
        .containsExactlyInAnyOrderElementsOf(inodes);
  }

  void assertEncodedAgain(RegroupStep step) throws IOException {
    assertRaidedTogether(step);
    assertThat(journey.file(appended(step)).replication()).isEqualTo(3);
    assertThat(journey.file(appended(step)).blocks())
        .allSatisfy(block -> assertThat(block.live()).hasSize(3));
  }

  /** Whatever the catalog says. */
  private long onlyParityOf(List<Long> inodes) throws IOException {
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
}
