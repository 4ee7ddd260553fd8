// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.RaidedFile;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StripeRebuilderTest extends StripeFixture {
  private static final int CHUNK = 1024;
  private static final int BLOCK = 2_500;

  @ParameterizedTest(name = "{0}, {1} bytes")
  @CsvSource({
    "rs-10-4, 25000",
    "rs-10-4, 40007",
    "rs-6-3, 1",
    "rs-6-3, 2501",
    "rs-6-3, 15000",
    "lrc-xorbas-10-6, 25000",
    "lrc-xorbas-10-6, 6000",
    "lrc-azure-6-2-2, 14999",
    "xor-10-1, 24999"
  })
  void everySingleLossIsRebuiltAndProven(String name, int length) throws IOException {
    RaidedFile file = raid(Codecs.parse(name), length);
    for (LocatedStripe stripe : file.stripes()) {
      for (int unit : stripe.available().minus(stripe.absent()).toArray()) {
        assertRebuilt(stripe, UnitSet.of(unit));
      }
    }
  }

  @ParameterizedTest(name = "a stripe of {0} bytes")
  @ValueSource(ints = {1, 511, 1024, 2500, 2501, 5000, 6789, 7500})
  void everyLossPatternOfASmallStripeIsRebuilt(int length) throws IOException {
    LocatedStripe stripe = raid(Codecs.parse("rs-3-2"), length).stripes().get(0);
    int[] present = stripe.available().minus(stripe.absent()).toArray();
    for (int pattern = 1; pattern < 1 << present.length; pattern++) {
      int bits = pattern;
      UnitSet lost =
          UnitSet.of(
              IntStream.range(0, present.length)
                  .filter(i -> (bits >> i & 1) != 0)
                  .map(i -> present[i]));
      if (lost.size() <= 2) {
        assertRebuilt(stripe, lost);
      } else {
        assertThat(recipe(stripe, lost)).as("lost %s", lost).isEmpty();
      }
    }
  }

  @ParameterizedTest(name = "{0} bytes")
  @ValueSource(ints = {1, 2, 2048, 2049, 4096, 4999, 5000})
  void subPacketisedUnitsAreRebuilt(int length) throws IOException {
    LocatedStripe stripe = raid(new TwoSubUnitCodec(), length).stripes().get(0);
    for (int unit : stripe.available().minus(stripe.absent()).toArray()) {
      assertRebuilt(stripe, UnitSet.of(unit));
    }
  }

  @Test
  void exactlyTheBytesOfTheRecipeAreReadEachHelperOpenedOnce() throws IOException {
    LocatedStripe stripe = raid(Codecs.parse("rs-6-3"), 5 * BLOCK + 100).stripes().get(0);
    UnitSet lost = UnitSet.of(1, 7);
    RebuildRecipe recipe = recipe(stripe, lost).orElseThrow();
    cluster.resetCounts();
    AtomicLong heard = new AtomicLong();
    HelperReads reads =
        rebuilder
            .rebuild(stripe, recipe, () -> sinks(new HashMap<>(), lost), heard::addAndGet)
            .reads();
    long expected = 0;
    for (int helper : recipe.helpers().toArray()) {
      long bytes =
          recipe.bytesRead(
              helper, stripe.unit(helper).length(), stripe.stripeLength(), stripe.layout());
      assertThat(reads.bytes().get(helper)).isEqualTo(bytes);
      assertThat(cluster.bytesRead(cluster.node(helper))).isEqualTo(bytes);
      expected += bytes;
    }
    assertThat(totalBytes(reads)).isEqualTo(expected).isEqualTo(heard.get());
    assertThat(cluster.bytesRead()).isEqualTo(expected);
    assertThat(cluster.opens()).isEqualTo(recipe.helpers().size());
  }

  @Test
  void absentUnitsAreNeverRead() throws IOException {
    LocatedStripe stripe = raid(Codecs.parse("rs-6-3"), 100).stripes().get(0);
    assertThat(stripe.absent()).isEqualTo(UnitSet.range(1, 6));
    assertThat(totalBytes(assertRebuilt(stripe, UnitSet.of(0)).reads())).isEqualTo(100);
  }

  @Test
  void absentUnitsAreUsedFirstWhateverTheirPrice() throws IOException {
    LocatedStripe stripe = raid(Codecs.parse("rs-6-3"), 100).stripes().get(0);
    ReadCost parityIsCheap = unit -> unit < 6 ? 1_000 : 1;
    HelperReads reads = rebuilder.read(stripe, 0, 0, ByteBuffer.allocate(100), parityIsCheap);
    assertThat(totalBytes(reads)).isEqualTo(100);
  }

  @Test
  void aHelperThatDiesInMidStreamIsNamed() throws IOException {
    LocatedStripe stripe = raid(Codecs.parse("rs-3-2"), 3 * BLOCK).stripes().get(0);
    UnitSet lost = UnitSet.of(0);
    RebuildRecipe recipe = recipe(stripe, lost).orElseThrow();
    long rotten = stripe.unit(2).located().orElseThrow().block().id();
    cluster.corrupt(rotten, cluster.node(2), 2_400);
    assertThatThrownBy(
            () -> rebuilder.rebuild(stripe, recipe, () -> sinks(new HashMap<>(), lost), read -> {}))
        .isInstanceOfSatisfying(
            HelperLostException.class,
            e -> {
              assertThat(e.units()).isEqualTo(UnitSet.of(2));
              assertThat(e.failed())
                  .singleElement()
                  .satisfies(
                      replica -> {
                        assertThat(replica.corrupt()).isTrue();
                        assertThat(replica.offset()).isEqualTo(2 * CHUNK);
                      });
            })
        .hasMessageContaining("Units {2} of stripe 0 of parity inode");
  }

  @Test
  void anotherReplicaOfAHelperTakesOver() throws IOException {
    RaidedFile file = raid(Codecs.parse("rs-3-2"), 3 * BLOCK);
    long block = file.stripes().get(0).unit(2).located().orElseThrow().block().id();
    cluster.place(block, cluster.node(2), cluster.node(10));
    cluster.corrupt(block, cluster.node(2), 1_100);
    LocatedStripe stripe = file.stripes().get(0);
    assertThat(assertRebuilt(stripe, UnitSet.of(0)).reads().failed())
        .singleElement()
        .satisfies(
            replica -> {
              assertThat(replica.replica().node()).isEqualTo(cluster.node(2));
              assertThat(replica.unit()).isEqualTo(2);
            });
  }

  @Test
  void aHelperWithOtherBytesThanAtEncodingContradictsTheRecordedCrc() throws IOException {
    RaidedFile file = raid(Codecs.parse("rs-3-2"), 3 * BLOCK);
    LocatedStripe stripe = file.stripes().get(0);
    var helper = stripe.unit(1).located().orElseThrow().block();
    cluster.deleteReplica(helper.id(), cluster.node(1));
    cluster.deliver(helper, cluster.node(1), new byte[BLOCK]);

    UnitSet lost = UnitSet.of(0);
    RebuiltStripe rebuilt =
        rebuilder.rebuild(
            stripe,
            recipe(stripe, lost).orElseThrow(),
            () -> sinks(new HashMap<>(), lost),
            read -> {});
    assertThat(rebuilt.contradicted(stripe)).isEqualTo(lost);
    assertThatThrownBy(
            () -> rebuilder.read(stripe, 0, 0, ByteBuffer.allocate(BLOCK), ReadCost.UNIFORM))
        .isInstanceOf(WrongContentException.class)
        .hasMessageContaining("Unit 0 of stripe 0");
  }

  @Test
  void aFailingSinkStopsEverything() throws IOException {
    LocatedStripe stripe = raid(Codecs.parse("rs-3-2"), 3 * BLOCK).stripes().get(0);
    IOException full = new IOException("disk full");
    UnitSet lost = UnitSet.of(0);
    List<Long> rows = new ArrayList<>();
    Map<Integer, UnitSink> sinks =
        Map.of(
            0,
            bytes -> {
              rows.add((long) bytes.remaining());
              cluster.awaitBlockedReads(cluster.node(1), 1);
              throw full;
            });
    RebuildRecipe recipe = recipe(stripe, lost).orElseThrow();
    AtomicReference<Boolean> first = new AtomicReference<>(true);
    assertThatThrownBy(
            () ->
                rebuilder.rebuild(
                    stripe,
                    recipe,
                    () -> sinks,
                    read -> {
                      if (first.getAndSet(false)) {
                        cluster.slow(cluster.node(1));
                      }
                    }))
        .isSameAs(full);
    assertThat(rows).hasSize(1);
  }

  @Test
  void anInterruptEndsTheRebuildAndIsKept() throws Exception {
    LocatedStripe stripe = raid(Codecs.parse("rs-3-2"), 3 * BLOCK).stripes().get(0);
    cluster.slow(cluster.node(1));
    UnitSet lost = UnitSet.of(0);
    RebuildRecipe recipe = recipe(stripe, lost).orElseThrow();
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicReference<Boolean> flag = new AtomicReference<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                rebuilder.rebuild(stripe, recipe, () -> sinks(new HashMap<>(), lost), read -> {});
              } catch (IOException e) {
                thrown.set(e);
              }
              flag.set(Thread.currentThread().isInterrupted());
            });
    caller.start();
    cluster.awaitBlockedReads(cluster.node(1), 1);
    caller.interrupt();
    caller.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class);
    assertThat(flag.get()).isTrue();
    assertThat(cluster.blockedReads()).isZero();
  }

  @Test
  void sinksAreOpenedWhenThereIsMemoryForTheRowsAndNotBefore() throws Exception {
    LocatedStripe stripe = raid(Codecs.parse("rs-3-2"), 3 * BLOCK).stripes().get(0);
    UnitSet lost = UnitSet.of(0);
    RowMemory memory = new RowMemory(1);
    StripeRebuilder modest = new StripeRebuilder(cluster, threads, LocatedBlock::live, memory);
    AtomicBoolean opened = new AtomicBoolean();
    Thread caller =
        new Thread(
            () -> {
              try {
                modest.rebuild(
                    stripe,
                    recipe(stripe, lost).orElseThrow(),
                    () -> {
                      opened.set(true);
                      return sinks(new HashMap<>(), lost);
                    },
                    read -> {});
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    cluster.resetCounts();
    memory.during(
        1,
        () -> {
          caller.start();
          while (caller.getState() != Thread.State.WAITING) {
            assertThat(caller.isAlive()).isTrue();
            Thread.onSpinWait();
          }
          assertThat(opened).isFalse();
          assertThat(cluster.opens()).isZero();
          return true;
        });
    caller.join();
    assertThat(opened).isTrue();
    assertThat(cluster.opens()).isPositive();
  }

  @Test
  void aRecipeThatReadsWhatCannotBeReadIsRefused() throws IOException {
    RaidedFile file = raid(Codecs.parse("rs-3-2"), 3 * BLOCK);
    UnitSet lost = UnitSet.of(0);
    RebuildRecipe recipe = recipe(file.stripes().get(0), lost).orElseThrow();
    cluster.kill(cluster.node(1));
    LocatedStripe now = file.stripes().get(0);
    assertThatThrownBy(
            () -> rebuilder.rebuild(now, recipe, () -> sinks(new HashMap<>(), lost), read -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reads units {1}");
  }

  // Ranges

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"rs-3-2", "lrc-xorbas-10-6", "two-sub-units"})
  void everyRangeAroundChunkBoundariesIsReadAsItWasWritten(String name) throws IOException {
    ErasureCodec codec = name.equals("two-sub-units") ? new TwoSubUnitCodec() : Codecs.parse(name);
    byte[] content = bytes(2 * BLOCK - 7);
    RaidedFile file = RaidedFile.create(cluster, "/f", BLOCK, content, codec, CHUNK / 4, threads);
    LocatedStripe stripe = file.stripes().get(0);
    long[] borders = {0, 255, 256, 511, 512, 513, 1024, 2047, 2048, 2273, 2274, 2275, 2493};
    for (int unit = 0; unit < 2; unit++) {
      for (long from : borders) {
        for (long to : borders) {
          if (from <= to) {
            ByteBuffer target = ByteBuffer.allocate((int) (to - from) + 5).position(3);
            target.limit((int) (3 + to - from));
            rebuilder.read(stripe, unit, from, target, ReadCost.UNIFORM);
            assertThat(target.remaining()).isZero();
            assertThat(target.flip().position(3))
                .as("unit %d from %d to %d", unit, from, to)
                .isEqualTo(ByteBuffer.wrap(content, unit * BLOCK + (int) from, (int) (to - from)));
          }
        }
      }
    }
  }

  @Test
  void aRangeReadsNoMoreThanItNeeds() throws IOException {
    LocatedStripe stripe = raid(Codecs.parse("rs-3-2"), 3 * BLOCK).stripes().get(0);
    cluster.resetCounts();
    HelperReads reads =
        rebuilder.read(stripe, 1, 1_000, ByteBuffer.allocate(100), ReadCost.UNIFORM);
    assertThat(totalBytes(reads)).isEqualTo(300).isEqualTo(cluster.bytesRead());
    // The range crosses rows, and is still opened once on each helper.
    assertThat(cluster.opens()).isEqualTo(3);
  }

  @Test
  void aRangeOfOneChunkOfASubPacketisedUnitReadsHalfOfTheHelpers() throws IOException {
    LocatedStripe stripe = raid(new TwoSubUnitCodec(), 2 * BLOCK).stripes().get(0);
    cluster.resetCounts();
    rebuilder.read(stripe, 0, 100, ByteBuffer.allocate(900), ReadCost.UNIFORM);
    assertThat(cluster.bytesRead()).isEqualTo(1_800);
    cluster.resetCounts();
    // From the end of one chunk into the next: only those bytes, not both chunks.
    rebuilder.read(stripe, 0, 1_000, ByteBuffer.allocate(48), ReadCost.UNIFORM);
    assertThat(cluster.bytesRead()).isEqualTo(96);
    cluster.resetCounts();
    // Nearly a whole row: no byte twice.
    rebuilder.read(stripe, 0, 10, ByteBuffer.allocate(2_000), ReadCost.UNIFORM);
    assertThat(cluster.bytesRead()).isEqualTo(4_000);
  }

  @Test
  void helpersThatFailAreReplacedUntilTheCodeGivesUp() throws IOException {
    LocatedStripe stripe = raid(Codecs.parse("rs-3-2"), 3 * BLOCK).stripes().get(0);
    byte[] content = cluster.contentOf("/f");
    cluster.kill(cluster.node(1));
    ByteBuffer target = ByteBuffer.allocate(700);
    HelperReads reads = rebuilder.read(stripe, 0, 900, target, ReadCost.UNIFORM);
    assertThat(target.flip()).isEqualTo(ByteBuffer.wrap(content, 900, 700));
    assertThat(reads.failed()).extracting(FailedReplica::unit).containsExactly(1);

    cluster.kill(cluster.node(3));
    assertThatThrownBy(
            () -> rebuilder.read(stripe, 0, 900, ByteBuffer.allocate(700), ReadCost.UNIFORM))
        .isInstanceOf(UnrecoverableStripeException.class)
        .hasMessage(
            "Unit 0 of stripe 0 of parity inode %d (rs-3-2) cannot be rebuilt: units {0, 1, 3} cannot be read (3 of 5), units {2, 4} can be read; its code tolerates any 2 losses, but not these: unit 0 is %s; unit 1 is %s; unit 3 is %s"
                .formatted(
                    stripe.parityInode(), place(stripe, 0), place(stripe, 1), place(stripe, 3)))
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
  }

  private String place(LocatedStripe stripe, int unit) {
    return "%s on %s"
        .formatted(stripe.unit(unit).located().orElseThrow().block(), cluster.node(unit).address());
  }

  @Test
  void aRangeOutsideTheUnitIsRefused() throws IOException {
    LocatedStripe stripe = raid(Codecs.parse("rs-3-2"), BLOCK + 10).stripes().get(0);
    assertThatThrownBy(() -> rebuilder.read(stripe, 1, 5, ByteBuffer.allocate(6), ReadCost.UNIFORM))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void theReplicaThatIsPreferredIsRead() throws IOException {
    RaidedFile file = raid(Codecs.parse("rs-3-2"), 3 * BLOCK);
    for (int unit = 0; unit < 3; unit++) {
      cluster.place(
          file.stripes().get(0).unit(unit).located().orElseThrow().block().id(),
          cluster.node(unit),
          cluster.node(15));
    }
    LocatedStripe stripe = file.stripes().get(0);
    StripeRebuilder picky =
        new StripeRebuilder(
            cluster,
            threads,
            block ->
                block.live().stream()
                    .sorted((one, other) -> Boolean.compare(isOn15(other), isOn15(one)))
                    .toList(),
            RowMemory.UNLIMITED);
    cluster.resetCounts();
    picky.read(stripe, 0, 0, ByteBuffer.allocate(10), ReadCost.UNIFORM);
    assertThat(cluster.bytesRead(cluster.node(15))).isEqualTo(20);
  }

  private boolean isOn15(Replica replica) {
    return replica.node().equals(cluster.node(15));
  }

  private RebuiltStripe assertRebuilt(LocatedStripe stripe, UnitSet lost) throws IOException {
    Map<Integer, ByteArrayOutputStream> rebuilt = new TreeMap<>();
    RebuiltStripe result =
        rebuilder.rebuild(
            stripe, recipe(stripe, lost).orElseThrow(), () -> sinks(rebuilt, lost), read -> {});
    assertThat(result.contradicted(stripe)).as("lost %s", lost).isEqualTo(UnitSet.none());
    for (int unit : lost.toArray()) {
      StripeUnit expected = stripe.unit(unit);
      assertThat(rebuilt.get(unit).toByteArray())
          .as("unit %d after losing %s", unit, lost)
          .isEqualTo(onDisk(expected));
    }
    return result;
  }

  private RaidedFile raid(ErasureCodec codec, int length) throws IOException {
    return RaidedFile.create(cluster, "/f", BLOCK, bytes(length), codec, CHUNK, threads);
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
