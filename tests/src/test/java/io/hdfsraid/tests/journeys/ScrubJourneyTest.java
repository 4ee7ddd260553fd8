// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What lies on disks and is wrong, and nobody has noticed: found, reported, rebuilt, proven. */
class ScrubJourneyTest {
  private static Journey journey;

  @BeforeAll
  static void start() throws IOException {
    journey = new Journey(12, Map.of("dfs.namenode.accesstime.precision", "1"));
    journey.startDaemon(StepListener.NONE);
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  @Test
  void rotThatNobodyKnowsIsReadReportedRebuiltAndProven() throws IOException {
    byte[] bytes = journey.load("/scrub/rot", 12 * Journey.BLOCK);
    long inode = journey.raid("/scrub/rot", "rs-6-3");
    LocatedStripe first = journey.stripes(inode).get(0);
    LocatedStripe second = journey.stripes(inode).get(1);
    journey.corrupt(first, 1);
    journey.corrupt(first, 7);
    cutShort(second, 4, 10);
    cutShort(second, 0, Journey.BLOCK - 1);
    Instant accessed = journey.file("/scrub/rot").accessed();
    journey.jobs().detection().integrity().runAsking();
    journey.jobs().scrub().job(ScrubDepth.PRESENCE).run();
    assertThat(losses(inode)).as("by all questions").isEmpty();
    // The first scrub leaves out what was sound when it was read to encode it.
    journey.catalog().encodingReads().removeBefore(Instant.now().plusSeconds(1));

    journey.jobs().scrub().job(ScrubDepth.DEEP).run();

    assertThat(losses(inode)).containsExactly(UnitSet.of(1, 7), UnitSet.of(0, 4));
    assertThat(told(inode))
        .as("HDFS's own scanner may have become suspicious by then, too")
        .contains("4 bad", "unit 1 of", "unit 7 of", "unit 0 of", "unit 4 of", "answers for it");
    assertThat(journey.file("/scrub/rot").accessed()).isEqualTo(accessed);
    journey.repair(inode);

    assertThat(journey.readPlain("/scrub/rot")).isEqualTo(bytes);
    assertSound(inode);
  }

  @Test
  void zeroedParityAndASwappedBlockUnderChecksumsThatFitThemAreRebuilt() throws IOException {
    byte[] bytes = journey.load("/scrub/swapped", 6 * Journey.BLOCK);
    long inode = journey.raid("/scrub/swapped", "rs-6-3");
    long zeros = zeros();
    LocatedStripe stripe = journey.stripes(inode).get(0);
    swap(stripe, 2, block(stripe, 3), journey.nodeOf(stripe, 3));
    swap(stripe, 6, zeros, nodeOf("/scrub/zeros", zeros));
    assertThat(losses(inode)).isEmpty();

    journey.jobs().scrub().requested(ScrubDepth.PRESENCE).scrub(inode, "test");
    assertThat(losses(inode)).containsExactly(UnitSet.of(2, 6));
    journey.jobs().scrub().requested(ScrubDepth.DEEP).scrub(inode, "test");
    assertThat(losses(inode)).containsExactly(UnitSet.of(2, 6));
    journey.repair(inode);

    assertThat(journey.readPlain("/scrub/swapped")).isEqualTo(bytes);
    assertSound(inode);
  }

  @Test
  void ofTwoCopiesTheRottenOneIsReportedAndHdfsMakesANewOne() throws IOException {
    byte[] bytes = journey.load("/scrub/copies", 6 * Journey.BLOCK);
    long inode = journey.raid("/scrub/copies", "rs-6-3");
    journey
        .hdfs
        .fileSystem()
        .setReplication(new org.apache.hadoop.fs.Path("/scrub/copies"), (short) 2);
    Journey.until(
        () ->
            journey.file("/scrub/copies").blocks().stream()
                .allMatch(block -> block.live().size() == 2),
        () -> "two copies of each block");
    LocatedStripe stripe = journey.stripes(inode).get(0);
    int bad = journey.nodeOf(stripe, 3);
    journey.corrupt(stripe, 3);

    journey.jobs().scrub().requested(ScrubDepth.DEEP).scrub(inode, "test");

    assertThat(losses(inode)).as("nothing is lost").isEmpty();
    Journey.until(
        () -> {
          LocatedBlock block = journey.stripes(inode).get(0).unit(3).located().orElseThrow();
          return block.live().size() == 2
              && block.live().stream()
                  .noneMatch(
                      replica -> journey.hdfs.dataNodeAt(replica.node().address()).index() == bad);
        },
        () -> "two good copies: " + journey.stripes(inode).get(0).unit(3).located());
    assertThat(journey.readPlain("/scrub/copies")).isEqualTo(bytes);
  }

  private static List<UnitSet> losses(long inode) {
    return journey.catalog().repairs().list(Optional.empty(), 1_000).stream()
        .filter(repair -> repair.inode() == inode)
        .map(RepairState::lost)
        .toList();
  }

  /** What the last scrub of a file wrote into the history. */
  private static String told(long inode) {
    return journey
        .catalog()
        .history()
        .newest(
            Optional.empty(),
            line ->
                line.event().equals("scrubbed")
                    && !line.succeeded()
                    && line.inode().equals(Optional.of(inode)),
            1,
            1_000)
        .get(0)
        .outcome()
        .detail();
  }

  private static List<UnitFinding> findings(long inode) throws IOException {
    return journey.health(inode).stream()
        .map(StripeHealth::findings)
        .flatMap(List::stream)
        .toList();
  }

  /** Every replica, read to its end once more, is what was recorded. */
  private static void assertSound(long inode) throws IOException {
    journey.jobs().scrub().requested(ScrubDepth.DEEP).scrub(inode, "test");
    assertThat(losses(inode)).isEmpty();
    assertThat(findings(inode)).isEmpty();
    for (LocatedStripe stripe : journey.stripes(inode)) {
      assertThat(stripe.available().size()).isEqualTo(9);
    }
  }

  // Damage

  private static long block(LocatedStripe stripe, int unit) {
    return stripe.unit(unit).located().orElseThrow().block().id();
  }

  private static void cutShort(LocatedStripe stripe, int unit, long bytes) throws IOException {
    Path file = journey.hdfs.dataFile(block(stripe, unit), journey.nodeOf(stripe, unit));
    try (FileChannel data = FileChannel.open(file, StandardOpenOption.WRITE)) {
      data.truncate(bytes);
    }
  }

  /** A block of zeros, as long as the others. */
  private static long zeros() throws IOException {
    try (var out =
        journey.hdfs.fileSystem().create(new org.apache.hadoop.fs.Path("/scrub/zeros"))) {
      out.write(new byte[Journey.BLOCK]);
    }
    return journey.file("/scrub/zeros").contents().get(0).id();
  }

  private static int nodeOf(String path, long block) throws IOException {
    return journey.file(path).blocks().stream()
        .filter(located -> located.block().id() == block)
        .map(located -> journey.hdfs.dataNodeAt(located.live().get(0).node().address()).index())
        .findFirst()
        .orElseThrow();
  }

  /** Data and checksums of another block under the id of this one. */
  private static void swap(LocatedStripe stripe, int unit, long from, int node) throws IOException {
    List<Path> sources = files(journey.hdfs.dataFile(from, node));
    List<Path> targets =
        files(journey.hdfs.dataFile(block(stripe, unit), journey.nodeOf(stripe, unit)));
    for (int i = 0; i < sources.size(); i++) {
      Files.write(targets.get(i), Files.readAllBytes(sources.get(i)));
    }
  }

  /** The data file and the checksum file beside it. */
  private static List<Path> files(Path data) throws IOException {
    List<Path> files = new ArrayList<>(List.of(data));
    try (Stream<Path> siblings = Files.list(data.getParent())) {
      siblings
          .filter(path -> path.getFileName().toString().startsWith(data.getFileName() + "_"))
          .forEach(files::add);
    }
    assertThat(files).hasSize(2);
    return files;
  }
}
