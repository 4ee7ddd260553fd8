// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.traffic.Direction;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.TransferTotals.Total;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What raiding and repair cost a real HDFS, by the counters of its own DataNodes and NameNode. */
@Tag("full")
class ThriftJourneyTest {
  private static final Protection RS = new Protection("rs-3-2", 1, 1);
  private static final int DATA_UNITS = 3;
  private static final int PARITY_UNITS = 2;

  /** The owner file is looked at so often, too. */
  private static final Duration OWNER_BELIEVED_FOR = Duration.ofSeconds(3);

  /** A check asks for a directory again when it has known it for so long. */
  private static final Duration DIRECTORIES_KNOWN_FOR = Duration.ofSeconds(10);

  /**
   * Methods whose calls depend on how long the work takes: a writer asks until its block is
   * reported, the report of all nodes is kept for seconds, and the owner file is written anew.
   */
  private static final Set<String> APART = Set.of("complete", "getDatanodeStorageReport", "fsync");

  /**
   * 39 were seen: pin, draft, concat, manifest, access rights, proof, commit, look, reduce, mark.
   */
  private static final long CALLS_PER_FILE = 44;

  /** Of a file alone, without those that list parity: for access rights, state and health. */
  private static final long CALLS_PER_CHECK = 10;

  /** Each directory above is asked for once, and the root once more. */
  private static final long CALLS_FOR_DIRECTORIES = 10;

  private static Journey journey;

  @BeforeAll
  static void start() throws IOException {
    journey = new Journey(10);
    journey.startDaemon(StepListener.NONE);
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  private static long raid(String path) throws IOException {
    long inode = journey.file(path).inode();
    journey.jobs().select().raider().raid(inode, RS, "test");
    assertThat(journey.record(inode).orElseThrow().state()).isEqualTo(FileState.REDUCED);
    return inode;
  }

  private static long transferred(Predicate<Total> which) {
    return journey.jobs().tuning().traffic().totals().totals().stream()
        .filter(which)
        .mapToLong(Total::bytes)
        .sum();
  }

  private static Predicate<Total> of(Purpose purpose, Direction direction) {
    return total -> total.purpose() == purpose && total.direction() == direction;
  }

  @Test
  void sourceBytesAreReadOnceAndParityBytesWrittenOnce() throws IOException {
    int stripes = 2;
    int length = stripes * DATA_UNITS * Journey.BLOCK - 7;
    journey.load("/thrift/once", length);
    long near = inOurRack("/thrift/once");
    long readBefore = journey.hdfs.bytesRead();
    long writtenBefore = journey.hdfs.bytesWritten();
    long readByUs = transferred(of(Purpose.RAIDING, Direction.READ));
    long writtenByUs = transferred(of(Purpose.RAIDING, Direction.WRITTEN));

    long inode = raid("/thrift/once");

    long parity = (long) stripes * PARITY_UNITS * Journey.BLOCK;
    // A DataNode counts a read when it ends, which may be a moment later.
    long counted = length + checksums(length);
    Journey.until(
        () -> journey.hdfs.bytesRead() - readBefore >= counted,
        () -> "the DataNodes to have counted %d bytes".formatted(counted));
    // Before the excess replicas are gone and units are moved, nobody else reads or writes here.
    assertThat(journey.hdfs.bytesRead() - readBefore).isEqualTo(counted);
    assertThat(journey.hdfs.bytesWritten() - writtenBefore).isEqualTo(parity);
    assertThat(transferred(of(Purpose.RAIDING, Direction.READ)) - readByUs).isEqualTo(length);
    assertThat(transferred(of(Purpose.RAIDING, Direction.WRITTEN)) - writtenByUs).isEqualTo(parity);
    String detail = journey.record(inode).orElseThrow().progress().detail();
    assertThat(detail.contains("same rack")).as(detail).isEqualTo(near > 0);
    assertThat(detail.contains("off rack")).as(detail).isEqualTo(near < length);
    journey.settle(inode, FileState.RAIDED);
  }

  /** DataNodes send, and count, four bytes for each 512. */
  private static long checksums(long bytes) {
    return (bytes + 511) / 512 * 4;
  }

  /** The daemon stands in rack 0, and no node is its own. */
  @Test
  void blocksThatHaveAReplicaInOurRackAreReadThere() throws IOException {
    journey.load("/thrift/near", 4 * DATA_UNITS * Journey.BLOCK);
    long near = inOurRack("/thrift/near");
    long before = readFrom(Distance.SAME_RACK);
    long far = readFrom(Distance.OFF_RACK);

    long inode = raid("/thrift/near");

    assertThat(readFrom(Distance.SAME_RACK) - before).isEqualTo(near);
    assertThat(readFrom(Distance.OFF_RACK) - far).isEqualTo(4L * DATA_UNITS * Journey.BLOCK - near);
    journey.settle(inode, FileState.RAIDED);
  }

  /** Returns the bytes of blocks with a replica in our rack, once all replicas are reported. */
  private static long inOurRack(String path) throws IOException {
    Journey.until(
        () -> journey.file(path).blocks().stream().allMatch(block -> block.live().size() == 3),
        () -> "all replicas of %s to be reported".formatted(path));
    return journey.file(path).blocks().stream()
        .filter(
            block ->
                block.live().stream().anyMatch(replica -> replica.node().rack().equals("/rack0")))
        .mapToLong(block -> block.block().length())
        .sum();
  }

  private static long readFrom(Distance distance) {
    return transferred(
        of(Purpose.RAIDING, Direction.READ).and(total -> total.distance() == distance));
  }

  /**
   * A stripe costs the NameNode what its parity units cost: each is a file that is created, gets
   * one block and is completed. All else is asked once for a file, never for a block.
   *
   * <p>How often {@code complete} is asked again until the DataNode has reported the block depends
   * on how fast that is, so it is counted apart.
   */
  @Test
  void theNameNodeIsCalledForEachParityUnitAndForEachFileAndNotForBlocks() throws IOException {
    Calls one = callsToRaid("/thrift/calls-1", 1);
    Calls nine = callsToRaid("/thrift/calls-9", 9);
    String table = "one stripe: %s; nine stripes: %s".formatted(one, nine);

    long units = 8L * PARITY_UNITS;
    assertThat(nine.counts.get("create") - one.counts.get("create")).as(table).isEqualTo(units);
    assertThat(nine.counts.get("addBlock") - one.counts.get("addBlock")).as(table).isEqualTo(units);
    assertThat(nine.sum() - one.sum())
        .as("calls for 8 more stripes, %s", table)
        .isBetween(
            2 * units - one.oftenIn(OWNER_BELIEVED_FOR),
            2 * units + nine.oftenIn(OWNER_BELIEVED_FOR));
    assertThat(one.sum())
        .as("calls for a file of one stripe, %s", table)
        .isLessThanOrEqualTo(2L * PARITY_UNITS + CALLS_PER_FILE);
  }

  /** However deep they lie, and however many stripes they have. */
  @Test
  void anIntegrityCheckAsksTheNameNodeTenTimesForEachFile() throws IOException {
    settleAll();
    Calls before = callsIn(() -> journey.jobs().detection().integrity().run());
    int files = 6;
    for (int file = 0; file < files; file++) {
      String path = "/checked/db/table/year=2029/month=6/" + file;
      journey.load(path, 2 * DATA_UNITS * Journey.BLOCK);
      journey.settle(raid(path), FileState.RAIDED);
    }

    Calls after = callsIn(() -> journey.jobs().detection().integrity().run());

    assertThat(after.sumWithoutListing() - before.sumWithoutListing())
        .as("calls for %d more files: %s, before: %s", files, after, before)
        .isLessThanOrEqualTo(
            files * CALLS_PER_CHECK
                + CALLS_FOR_DIRECTORIES * after.oftenIn(DIRECTORIES_KNOWN_FOR)
                + after.oftenIn(OWNER_BELIEVED_FOR));
  }

  /** So that no round of a check moves units of other tests. */
  private static void settleAll() throws IOException {
    Journey.until(
        () -> {
          journey.jobs().upkeep().reconciler().run();
          long[] underWay = {0};
          journey.catalog().files().idsWithStatus(FileState.COMMITTED, inode -> underWay[0]++);
          journey.catalog().files().idsWithStatus(FileState.REDUCED, inode -> underWay[0]++);
          return underWay[0] == 0;
        },
        () -> "all files to be raided");
  }

  /** Calls of the NameNode while something was done. */
  private record Calls(Map<String, Long> counts, Duration took) {
    /** Returns the number of calls, without those that depend on time. */
    long sum() {
      return counts.entrySet().stream()
          .filter(call -> !APART.contains(call.getKey()))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }

    long sumWithoutListing() {
      return sum() - counts.getOrDefault("getListing", 0L);
    }

    /** Returns how often something happens that is done at once, and again after each interval. */
    long oftenIn(Duration interval) {
      return 1 + took.dividedBy(interval);
    }
  }

  private static Calls callsToRaid(String path, int stripes) throws IOException {
    journey.load(path, stripes * DATA_UNITS * Journey.BLOCK);
    return callsIn(() -> raid(path));
  }

  /** Something that calls the NameNode. */
  @FunctionalInterface
  private interface Calling {
    void run() throws IOException;
  }

  private static Calls callsIn(Calling work) throws IOException {
    Map<String, Long> before = journey.hdfs.settledNameNodeCalls();
    long began = System.nanoTime();
    work.run();
    Map<String, Long> counts = new TreeMap<>(journey.hdfs.settledNameNodeCalls());
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    before.forEach((call, count) -> counts.merge(call, -count, Long::sum));
    counts.values().removeIf(count -> count == 0);
    return new Calls(counts, took);
  }
}
