// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.job.JobSettings;
import io.hdfsraid.raidnode.rest.files.JudgedFiles;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Directories of small files on a real HDFS, from the scan to what users do to them. Each test goes
 * on from where the one before has left the cluster.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GroupJourneyTest {
  private static final int BLOCK = 16 << 10;
  private static final int REPLICAS = 3;

  /** Ten more than a stripe has units: where it is crowded, most of the time goes by with moves. */
  private static final int NODES = 24;

  private static final int WRITERS = 32;
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String HINT = "user.raid.group";
  private static final Policies POLICIES =
      new Policies(
          List.of(
              new Policy(
                  "small",
                  List.of(PathGlob.of("/even/**"), PathGlob.of("/odd/**")),
                  List.of(),
                  Duration.ZERO,
                  Duration.ZERO,
                  0,
                  new Protection("rs-10-4", 1, 1),
                  Optional.empty())),
          List.of(),
          10);

  /** Most of their time they wait for the NameNode's next look at things. */
  private static final JobSettings MANY_AT_ONCE = Journey.settings(Tuning.workers(8, 4, 32), 32);

  private static final Map<String, byte[]> CONTENTS = new TreeMap<>();
  private static Journey journey;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    journey = new Journey(NODES);
    fs = journey.hdfs.fileSystem();
    journey.startDaemon(StepListener.NONE, POLICIES, MANY_AT_ONCE);
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  /** Side by side, for writing waits for HDFS most of the time. */
  private static void load(String prefix, List<Integer> lengths) throws IOException {
    Random random = new Random(prefix.hashCode());
    Map<String, byte[]> files = new TreeMap<>();
    for (int i = 0; i < lengths.size(); i++) {
      byte[] bytes = new byte[lengths.get(i)];
      random.nextBytes(bytes);
      files.put("%s%03d".formatted(prefix, i), bytes);
    }
    List<Callable<Void>> writes = new ArrayList<>();
    files.forEach(
        (path, bytes) ->
            writes.add(
                () -> {
                  try (OutputStream out =
                      fs.create(new Path(path), true, 4_096, (short) REPLICAS, BLOCK)) {
                    out.write(bytes);
                  }
                  return null;
                }));
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    try {
      for (Future<Void> write : writers.invokeAll(writes)) {
        write.get();
      }
    } catch (ExecutionException | InterruptedException e) {
      throw new IOException(e);
    } finally {
      writers.shutdown();
    }
    CONTENTS.putAll(files);
  }

  private static long onDisk() {
    return IntStream.range(0, NODES).mapToLong(journey.hdfs::bytesOnDisk).sum();
  }

  /** Loads a directory, lets the daemon find and raid it, and counts bytes on disks. */
  private static void raidedDownTo(double limit, String directory, List<Integer> lengths)
      throws IOException {
    long others = onDisk();
    load(directory + "/", lengths);
    long before = onDisk() - others;
    journey.jobs().select().evaluation().scan();
    journey.jobs().select().raid().run(policy -> true);
    allRaided(directory);
    Journey.until(
        PATIENCE,
        () -> (double) (onDisk() - others) / before * REPLICAS <= limit,
        () ->
            "%s to occupy at most %.2f times its bytes; it is %.3f"
                .formatted(directory, limit, (double) (onDisk() - others) / before * REPLICAS));
  }

  private static void allRaided(String directory) throws IOException {
    Journey.until(
        PATIENCE,
        () -> {
          journey.jobs().upkeep().reconciler().run();
          return files(directory).stream().allMatch(f -> f.state() == FileState.RAIDED);
        },
        () ->
            "all of %s to be raided: %s"
                .formatted(
                    directory,
                    files(directory).stream()
                        .filter(file -> file.state() != FileState.RAIDED)
                        .map(FileRecord::progress)
                        .findFirst()));
  }

  private static List<FileRecord> files(String directory) {
    JudgedFiles judged =
        new JudgedFiles(
            journey.catalog(),
            journey.jobs().select().policies(),
            journey.jobs().select().recency(),
            Clock.systemUTC());
    List<FileRecord> found = new ArrayList<>();
    journey
        .catalog()
        .namespace()
        .forEach(
            file -> {
              if (file.path().startsWith(directory + "/")) {
                found.add(judged.find(file.inode()).orElseThrow());
              }
              return true;
            });
    return found;
  }

  private static ParityFile groupOf(String path) throws IOException {
    long id = journey.jobs().upkeep().reconciler().parityOf(journey.file(path).inode());
    assertThat(GroupId.isGroup(id)).as("%s is in a group", path).isTrue();
    return journey.cluster().access().parity().find(id).orElseThrow();
  }

  @Test
  @Order(1)
  void twoHundredFilesOfOneBlockOccupyAtMost145PercentOfTheirBytes() throws IOException {
    raidedDownTo(1.45, "/even", IntStream.range(0, 200).map(i -> BLOCK).boxed().toList());

    Manifest manifest = groupOf("/even/000").manifest();
    assertThat(manifest.stripes()).hasSizeLessThanOrEqualTo(8);
    assertThat(manifest.members().size()).isGreaterThan(50);
    long parity =
        files("/even").stream().mapToLong(file -> file.parity().orElseThrow().bytes()).sum();
    assertThat(parity).as("shares of parity in the catalog").isEqualTo(200L * BLOCK * 4 / 10);
  }

  @Test
  @Tag("full")
  @Order(2)
  void fiveHundredFilesFarSmallerThanABlockOccupyAtMost160PercentOfTheirBytes() throws IOException {
    // Log-normal lengths, median 5 % of a block, sigma 1, no longer than a block; seed 2029.
    Random random = new Random(2029);
    List<Integer> lengths =
        random
            .ints(500)
            .mapToObj(i -> BLOCK * 0.05 * Math.exp(random.nextGaussian()))
            .map(length -> (int) Math.max(1, Math.min(BLOCK, length)))
            .toList();

    raidedDownTo(1.60, "/odd", lengths);
  }

  @Test
  @Order(3)
  void aMemberIsReadThroughTheParityOfItsGroupAsLongAsItSaysWhichThatIs() throws IOException {
    String path = "/even/007";
    ParityFile group = groupOf(path);
    List<Long> stripe =
        List.copyOf(group.manifest().neighboursOf(journey.file(path).blocks().get(0).block()));
    List<String> lost = new ArrayList<>();
    for (long inode : stripe.subList(0, 4)) {
      lost.add(journey.record(inode).orElseThrow().facts().path());
    }
    for (String each : lost) {
      var block = journey.file(each).blocks().get(0);
      journey.hdfs.deleteReplica(
          block.block().id(),
          journey.hdfs.dataNodeAt(block.live().get(0).node().address()).index());
    }

    assertThatThrownBy(() -> journey.readPlain(lost.get(0))).isInstanceOf(IOException.class);
    for (String each : lost) {
      assertThat(journey.readDegraded(each)).as(each).isEqualTo(CONTENTS.get(each));
    }
    fs.removeXAttr(new Path(lost.get(1)), HINT);
    assertThatThrownBy(() -> journey.readDegraded(lost.get(1))).isInstanceOf(IOException.class);

    journey.repair(journey.file(path).inode());
    for (String each : lost) {
      assertThat(journey.readPlain(each)).as(each).isEqualTo(CONTENTS.get(each));
    }
  }

  @Test
  @Order(4)
  void aDaemonWithoutACatalogFindsTheGroupsAgainOnHdfs() throws IOException {
    long groups = groups().size();
    journey.stopDaemon();
    journey.forgetEverything();
    journey.startDaemon(StepListener.NONE, POLICIES, MANY_AT_ONCE);

    journey.jobs().detection().integrity().run();
    journey.jobs().select().evaluation().scan();
    allRaided("/even");

    assertThat(files("/even")).hasSize(200);
    assertThat(fs.getXAttrs(new Path("/even/007"))).as("hints are put back").containsKey(HINT);
    journey.jobs().select().raid().run(policy -> true);
    assertThat(groups()).as("nothing is raided twice").hasSize((int) groups);
  }

  @Test
  @Order(5)
  void whatUsersDoToMembersCostsTheOthersNothing() throws IOException {
    ParityFile before = groupOf("/even/199");
    List<String> paths =
        before.manifest().members().stream()
            .map(member -> journey.record(member.inode()).orElseThrow().facts().path())
            .toList();
    String deleted = paths.get(1);
    String appended = paths.get(2);
    String renamed = paths.get(3);
    fs.delete(new Path(deleted), false);
    CONTENTS.remove(deleted);
    try (OutputStream out = fs.append(new Path(appended))) {
      out.write(1);
    }
    fs.rename(new Path(renamed), new Path("/elsewhere"));
    CONTENTS.put("/elsewhere", CONTENTS.remove(renamed));

    Journey.until(
        PATIENCE,
        () -> {
          journey.jobs().upkeep().reconciler().reconcile(idOf(before), "test");
          return journey.cluster().access().parity().find(idOf(before)).isEmpty();
        },
        () -> "the group to be encoded again without two of its members");

    Manifest after = groupOf("/elsewhere").manifest();
    assertThat(after.members()).hasSize(before.manifest().members().size() - 2);
    assertThat(journey.file(appended).replication()).isEqualTo(3);
    assertThat(journey.file("/elsewhere").replication()).isEqualTo(1);
    assertThat(fs.getXAttrs(new Path(appended))).as("the hint is gone").isEmpty();
    CONTENTS.remove(appended);
    for (String path : paths) {
      if (CONTENTS.containsKey(path)) {
        assertThat(journey.readPlain(path)).as(path).isEqualTo(CONTENTS.get(path));
      }
    }
  }

  @Test
  @Order(6)
  void aFileIsUnraidedAndTheOthersStay() throws IOException {
    String path = "/even/100";
    ParityFile before = groupOf(path);

    journey.jobs().upkeep().reconciler().unraid(journey.file(path).inode(), "test");
    Journey.until(
        PATIENCE,
        () -> {
          journey.jobs().upkeep().reconciler().run();
          return journey.record(journey.file(path).inode()).orElseThrow().state() == FileState.LEFT;
        },
        () -> "%s to be unraided: %s".formatted(path, journey.record(journey.file(path).inode())));

    assertThat(journey.file(path).replication()).isEqualTo(3);
    assertThat(journey.record(journey.file(path).inode()).orElseThrow().parity()).isEmpty();
    for (Member member : before.manifest().members()) {
      FileRecord file = journey.record(member.inode()).orElseThrow();
      if (!file.facts().path().equals(path)) {
        assertThat(journey.file(file.facts().path()).replication()).isEqualTo(1);
      }
    }
  }

  @Test
  @Order(7)
  void aFileAloneInItsDirectoryIsLeftWithTheReason() throws IOException {
    load("/even/alone/", List.of(BLOCK - 1));
    journey.jobs().select().evaluation().scan();
    journey.jobs().select().raid().run(policy -> true);
    journey.jobs().select().evaluation().scan();

    FileRecord left = files("/even/alone").get(0);
    assertThat(left.state()).isEqualTo(FileState.LEFT);
    assertThat(left.progress().reason()).contains(Reason.NO_COMPANY);
  }

  @Test
  @Order(8)
  void membersInASnapshotAreLeftWithTheReasonAndTheOthersAreRaidedTogether() throws IOException {
    Path directory = new Path("/even/kept");
    fs.mkdirs(directory);
    fs.allowSnapshot(directory);
    List<Integer> lengths = IntStream.range(0, 10).map(i -> BLOCK - i).boxed().toList();
    load(directory + "/old-", lengths);
    fs.createSnapshot(directory, "s1");
    load(directory + "/new-", lengths);

    journey.jobs().select().evaluation().scan();
    journey.jobs().select().raid().run(policy -> true);

    for (FileRecord file : files(directory.toString())) {
      String path = file.facts().path();
      if (path.contains("/old-")) {
        assertThat(file.progress().reason()).as(path).contains(Reason.IN_SNAPSHOT);
        assertThat(journey.file(path).replication()).as(path).isEqualTo(REPLICAS);
      } else {
        assertThat(groupOf(path).manifest().members()).as(path).hasSize(10);
        assertThat(journey.file(path).replication()).as(path).isEqualTo(1);
      }
    }
    assertThat(files(directory.toString())).hasSize(20);
  }

  private static long idOf(ParityFile parity) {
    String path = parity.file().path();
    return Long.parseLong(path.substring(path.lastIndexOf('/') + 1));
  }

  private static List<Long> groups() throws IOException {
    List<Long> found = new ArrayList<>();
    journey
        .cluster()
        .access()
        .parity()
        .forEach(
            id -> {
              if (GroupId.isGroup(id)) {
                found.add(id);
              }
            });
    return found;
  }
}
