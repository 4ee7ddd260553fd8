// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.RaidedFile;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that are slow here never answer, unless a test releases them: without hedges it hangs. */
@Timeout(60)
class HedgedReadsTest extends StripeFixture {
  private static final int CHUNK = 1024;
  private static final int ROWS = 4;
  private static final UnitSet LOST = UnitSet.of(0);

  private final Watch watch = new Watch();

  /** Says that nodes are slow when the test does, and writes down what it hears. */
  private static final class Watch implements HedgePolicy {
    final Set<DataNode> slow = ConcurrentHashMap.newKeySet();
    final List<UnitSet> around = new ArrayList<>();
    final List<Boolean> faster = new ArrayList<>();
    final CountDownLatch looks = new CountDownLatch(3);
    Optional<Duration> deadline = Optional.empty();
    long bytes;

    @Override
    public Optional<Duration> deadline() {
      return deadline;
    }

    @Override
    public Optional<Duration> after() {
      return Optional.of(Duration.ofMillis(1));
    }

    @Override
    public boolean isSlow(DataNode node, Duration after) {
      looks.countDown();
      return slow.contains(node);
    }

    @Override
    public void began(LocatedStripe stripe, UnitSet units, UnitSet instead) {
      around.add(units);
    }

    @Override
    public void ended(boolean first) {
      faster.add(first);
    }

    @Override
    public void read(long beyond) {
      bytes += beyond;
    }
  }

  @Override
  @AfterEach
  void nothingIsLeftOpenOrRunning() throws InterruptedException {
    cluster.allNodes().forEach(cluster::release);
    super.nothingIsLeftOpenOrRunning();
  }

  private LocatedStripe stripe(String codec) throws IOException {
    return file(codec).stripes().get(0);
  }

  private RaidedFile file(String codec) throws IOException {
    var code = Codecs.parse(codec);
    int unit = ROWS * code.subUnits() * CHUNK - 100;
    byte[] bytes = new byte[code.shape().dataUnits() * unit];
    new Random(unit).nextBytes(bytes);
    return RaidedFile.create(cluster, "/f", unit, bytes, code, CHUNK, threads);
  }

  private static RebuildRecipe recipe(LocatedStripe stripe) {
    return stripe
        .codec()
        .recipe(LOST, stripe.available().minus(LOST), stripe.cost(ReadCost.UNIFORM))
        .orElseThrow();
  }

  private static long bytes(LocatedStripe stripe, RebuildRecipe recipe) {
    return recipe.helpers().stream()
        .mapToLong(
            unit ->
                recipe.bytesRead(
                    unit, stripe.unit(unit).length(), stripe.stripeLength(), stripe.layout()))
        .sum();
  }

  private DataNode makeSlow(int unit) {
    DataNode node = cluster.node(unit);
    cluster.slow(node);
    watch.slow.add(node);
    return node;
  }

  private static int last(UnitSet units) {
    return units.toArray()[units.size() - 1];
  }

  private RebuiltStripe rebuild(LocatedStripe stripe, RowMemory memory, LongConsumer heard)
      throws IOException {
    RebuiltStripe rebuilt =
        new StripeRebuilder(cluster, threads, LocatedBlock::live, memory, watch)
            .rebuild(stripe, recipe(stripe), () -> Map.of(0, bytes -> {}), heard);
    assertThat(rebuilt.contradicted(stripe)).isEqualTo(UnitSet.none());
    return rebuilt;
  }

  private RebuiltStripe rebuild(LocatedStripe stripe) throws IOException {
    return rebuild(stripe, RowMemory.UNLIMITED, read -> {});
  }

  /** Does something when so many reads hang on the node. */
  private Thread when(DataNode node, Runnable action) {
    Thread thread =
        new Thread(
            () -> {
              cluster.awaitBlockedReads(node, 1);
              action.run();
            });
    thread.start();
    return thread;
  }

  @ParameterizedTest(name = "{0}, from row {1} on")
  @CsvSource({
    "rs-6-3, 0",
    "rs-6-3, 1",
    "lrc-xorbas-10-6, 0",
    "lrc-xorbas-10-6, 2",
    "hitchhiker-10-4, 1",
    "less-10-4, 0",
    "less-10-4, 1"
  })
  void aHelperThatStopsAnsweringIsReplacedForTheRestOfTheBlock(String codec, int row)
      throws IOException {
    LocatedStripe stripe = stripe(codec);
    RebuildRecipe planned = recipe(stripe);
    int slow = last(planned.helpers());
    cluster.resetCounts();
    AtomicLong rows = new AtomicLong();
    AtomicLong heard = new AtomicLong();
    if (row == 0) {
      makeSlow(slow);
    }
    RebuiltStripe rebuilt =
        rebuild(
            stripe,
            RowMemory.UNLIMITED,
            bytes -> {
              heard.addAndGet(bytes);
              if (rows.incrementAndGet() == row) {
                makeSlow(slow);
              }
            });

    assertThat(watch.around).containsExactly(UnitSet.of(slow));
    assertThat(watch.faster).containsExactly(true);
    assertThat(rebuilt.reads().failed()).as("being slow proves nothing").isEmpty();
    assertThat(heard.get())
        .isEqualTo(cluster.bytesRead())
        .isEqualTo(totalBytes(rebuilt.reads()))
        .isEqualTo(bytes(stripe, planned) + watch.bytes);
    if (stripe.layout().subUnits() == 1 && codec.startsWith("rs")) {
      assertThat(watch.bytes).as("no chunk is read twice").isZero();
    }
  }

  /** Each part of a chunk in a range has a recipe of its own. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "lrc-xorbas-10-6", "hitchhiker-10-4", "less-4-2", "less-10-4"})
  void aSlowHelperIsReadAroundInRangesAcrossTheBordersOfChunksToo(String codec) throws IOException {
    LocatedStripe stripe = stripe(codec);
    byte[] unit = new byte[(int) stripe.unit(0).length()];
    new Random(unit.length).nextBytes(unit); // the first block of the file
    for (int slow : recipe(stripe).helpers().toArray()) {
      DataNode node = makeSlow(slow);
      for (int from = CHUNK - 50; from < unit.length; from += CHUNK) {
        for (int length : new int[] {100, CHUNK + 100, 2 * CHUNK, unit.length}) {
          ByteBuffer range = ByteBuffer.allocate(Math.min(length, unit.length - from));
          HelperReads reads =
              new StripeRebuilder(cluster, threads, LocatedBlock::live, RowMemory.UNLIMITED, watch)
                  .read(stripe, 0, from, range, ReadCost.UNIFORM);
          assertThat(reads.failed()).isEmpty();
          assertThat(range.flip())
              .as("%d bytes from %d on, unit %d is slow", range.limit(), from, slow)
              .isEqualTo(ByteBuffer.wrap(unit, from, range.limit()));
        }
      }
      watch.slow.remove(node);
      cluster.release(node);
    }
    assertThat(watch.faster).isNotEmpty().containsOnly(true);
  }

  @Test
  void noMoreIsReadThanPlannedAsLongAsNobodyIsSlow() throws IOException {
    LocatedStripe stripe = stripe("rs-6-3");
    cluster.resetCounts();
    rebuild(stripe);
    assertThat(watch.around).isEmpty();
    assertThat(cluster.bytesRead()).isEqualTo(bytes(stripe, recipe(stripe)));
  }

  @Test
  void aSlowHelperThatComesFirstAfterAllIsGoneOnWith() throws Exception {
    LocatedStripe stripe = stripe("rs-3-2");
    DataNode slow = makeSlow(2);
    DataNode spare = cluster.node(4);
    cluster.slow(spare);
    cluster.resetCounts();
    Thread release =
        when(
            spare,
            () -> {
              watch.slow.clear();
              cluster.release(slow);
            });
    rebuild(stripe);
    release.join();

    assertThat(watch.faster).containsExactly(false);
    assertThat(cluster.bytesRead()).isEqualTo(bytes(stripe, recipe(stripe)));
    assertThat(cluster.bytesRead(spare)).isZero();
  }

  @Test
  void aHedgeThatFailsIsFollowedByOneWithoutThatUnit() throws IOException {
    LocatedStripe stripe = stripe("rs-6-3");
    makeSlow(2);
    cluster.corrupt(stripe.unit(7).located().orElseThrow().block().id(), cluster.node(7), 0);
    RebuiltStripe rebuilt = rebuild(stripe);

    assertThat(watch.faster).containsExactly(false, true);
    assertThat(rebuilt.reads().failed())
        .singleElement()
        .satisfies(failed -> assertThat(failed.corrupt()).isTrue());
  }

  @Test
  void aHelperThatFailsInTheEndFailsNothingWhenAHedgeIsUnderWay() throws Exception {
    LocatedStripe stripe = stripe("rs-3-2");
    cluster.corrupt(stripe.unit(2).located().orElseThrow().block().id(), cluster.node(2), 0);
    DataNode slow = makeSlow(2);
    DataNode spare = cluster.node(4);
    cluster.slow(spare);
    Thread release =
        when(
            spare,
            () -> {
              int open = cluster.openInputs();
              cluster.release(slow);
              while (cluster.openInputs() == open) {
                Thread.onSpinWait();
              }
              cluster.release(spare);
            });
    RebuiltStripe rebuilt = rebuild(stripe);
    release.join();

    assertThat(watch.faster).containsExactly(true);
    assertThat(rebuilt.reads().failed())
        .singleElement()
        .satisfies(failed -> assertThat(failed.replica().node()).isEqualTo(slow));
  }

  @Test
  void aSlowHelperWithAnotherReplicaIsReadFromThat() throws IOException {
    RaidedFile file = file("rs-6-3");
    LocatedStripe before = file.stripes().get(0);
    int helper = last(recipe(before).helpers());
    long block = before.unit(helper).located().orElseThrow().block().id();
    cluster.place(block, cluster.node(helper), cluster.node(15));
    LocatedStripe stripe = file.stripes().get(0);
    makeSlow(helper);
    RebuiltStripe rebuilt = rebuild(stripe);

    assertThat(watch.faster).containsExactly(true);
    assertThat(rebuilt.reads().bytes().keySet())
        .isEqualTo(Set.copyOf(recipe(stripe).helpers().stream().boxed().toList()));
    assertThat(rebuilt.reads().bytesFrom()).containsKey(cluster.node(15));
  }

  /** Our own limits make everything slow when much is to be repaired; memory may be short. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noHedgeBeginsWhileItIsNotTheNodeThatIsSlowOrThereIsNoMemory(boolean slowNode)
      throws Exception {
    LocatedStripe stripe = stripe("rs-3-2");
    DataNode node = makeSlow(2);
    if (!slowNode) {
      watch.slow.clear();
    }
    Thread release =
        new Thread(
            () -> {
              try {
                watch.looks.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              cluster.release(node);
            });
    release.start();
    rebuild(stripe, slowNode ? new RowMemory(1) : RowMemory.UNLIMITED, read -> {});
    release.join();

    assertThat(watch.around).isEmpty();
  }

  @Test
  void helpersThatNothingCanReplaceCountAsLostAfterTheDeadline() throws IOException {
    LocatedStripe stripe = stripe("rs-3-2").withLost(UnitSet.of(4));
    DataNode one = makeSlow(1);
    DataNode other = makeSlow(2);
    watch.deadline = Optional.of(Duration.ofMillis(20));

    assertThatThrownBy(() -> rebuild(stripe))
        .isInstanceOfSatisfying(
            HelperLostException.class, e -> assertThat(e.units()).isEqualTo(UnitSet.of(1, 2)))
        .hasMessageContaining("no answer for 20 ms")
        .hasMessageContaining(one.address())
        .hasMessageContaining(other.address());
  }

  @Test
  void anAlternativeThatHangsTooIsGivenUpAfterTheDeadline() throws IOException {
    LocatedStripe stripe = stripe("rs-3-2");
    makeSlow(2);
    cluster.slow(cluster.node(4)); // nobody knows
    watch.deadline = Optional.of(Duration.ofMillis(20));

    assertThatThrownBy(() -> rebuild(stripe))
        .isInstanceOfSatisfying(
            HelperLostException.class, e -> assertThat(e.units()).isEqualTo(UnitSet.of(2)));
    assertThat(watch.around).contains(UnitSet.of(2));
    assertThat(watch.faster).doesNotContain(true);
  }
}
