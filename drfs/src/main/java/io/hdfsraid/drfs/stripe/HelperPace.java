// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.PendingCalls;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long DataNodes take to answer, as far as the degraded reads of one client have seen it. A
 * read hedges around a node that takes three times as long as 19 of the last 20 calls did, and such
 * a node is left out of the next reads for a while. Safe for concurrent use.
 */
public final class HelperPace implements HedgePolicy {
  private static final Logger LOG = LoggerFactory.getLogger(HelperPace.class);

  /** The number of calls whose durations are kept. */
  private static final int CALLS = 128;

  /** The number of calls from which on the pace is known. */
  private static final int ENOUGH_CALLS = 16;

  private static final int LATE_FACTOR = 3;
  private static final Duration SOONEST = Duration.ofMillis(50);
  private static final Duration LATEST = Duration.ofSeconds(2);
  private static final Duration UNKNOWN = Duration.ofMillis(500);

  private final LongSupplier nanos;
  private final long avoidedNanos;
  private final Duration deadline;
  private final AtomicLongArray durations = new AtomicLongArray(CALLS);
  private final AtomicInteger ended = new AtomicInteger();
  private final PendingCalls calls;

  /** Until when nodes are left out, by {@link #nanos}. */
  private final Map<DataNode, Long> avoided = new ConcurrentHashMap<>();

  /**
   * @param avoidance how long a node that was slow is left out
   * @param deadline how long a node may take to answer at all
   * @param nanos {@code System::nanoTime}
   */
  public HelperPace(Duration avoidance, Duration deadline, LongSupplier nanos) {
    this.deadline = deadline;
    this.avoidedNanos = avoidance.toNanos();
    this.nanos = nanos;
    this.calls = new PendingCalls(nanos);
  }

  /** Returns the same DataNodes, whose answers are timed. */
  public DataNodes timed(DataNodes dataNodes) {
    return new DataNodes() {
      @Override
      public BlockInput open(Block block, Replica replica, long offset, long length)
          throws IOException {
        DataNode node = replica.node();
        BlockInput input = time(node, () -> dataNodes.open(block, replica, offset, length));
        return new BlockInput() {
          @Override
          public void readFully(ByteBuffer target) throws IOException {
            time(
                node,
                () -> {
                  input.readFully(target);
                  return target;
                });
          }

          @Override
          public void close() throws IOException {
            input.close();
          }
        };
      }

      @Override
      public int checksum(Block block, Replica replica) throws IOException {
        return time(replica.node(), () -> dataNodes.checksum(block, replica));
      }
    };
  }

  private interface Question<T> {
    T ask() throws IOException;
  }

  private <T> T time(DataNode node, Question<T> question) throws IOException {
    PendingCalls.Call call = calls.begin(node);
    try {
      T answer = question.ask();
      durations.set(Math.floorMod(ended.getAndIncrement(), CALLS), calls.nanosSince(call));
      return answer;
    } finally {
      calls.end(call);
    }
  }

  /** Whether the node was slow lately. */
  public boolean isAvoided(DataNode node) {
    Long until = avoided.get(node);
    if (until == null) {
      return false;
    }
    boolean now = nanos.getAsLong() - until < 0;
    if (!now) {
      avoided.remove(node, until);
    }
    return now;
  }

  @Override
  public Optional<Duration> after() {
    int known = ended.get();
    if (known >= 0 && known < ENOUGH_CALLS) {
      return Optional.of(UNKNOWN);
    }
    int count = known < 0 ? CALLS : Math.min(known, CALLS);
    long[] sorted = new long[count];
    for (int i = 0; i < count; i++) {
      sorted[i] = durations.get(i);
    }
    Arrays.sort(sorted);
    Duration late = Duration.ofNanos(LATE_FACTOR * sorted[count * 19 / 20]);
    return Optional.of(
        late.compareTo(SOONEST) < 0 ? SOONEST : late.compareTo(LATEST) > 0 ? LATEST : late);
  }

  @Override
  public Optional<Duration> deadline() {
    return Optional.of(deadline);
  }

  @Override
  public void gaveUp(List<DataNode> nodes) {
    nodes.forEach(this::avoid);
  }

  private void avoid(DataNode node) {
    avoided.put(node, nanos.getAsLong() + avoidedNanos);
  }

  @Override
  public boolean isSlow(DataNode node, Duration after) {
    return isAvoided(node) || calls.anyWaits(node, after);
  }

  @Override
  public void began(LocatedStripe stripe, UnitSet slow, UnitSet instead) {
    Duration after = after().orElseThrow();
    for (int unit : slow.toArray()) {
      stripe.unit(unit).located().orElseThrow().live().stream()
          .map(Replica::node)
          .filter(node -> isSlow(node, after))
          .forEach(this::avoid);
    }
    LOG.info("Units {} of {} are slow; units {} are read beside them", slow, stripe, instead);
  }

  @Override
  public void ended(boolean faster) {}

  @Override
  public void read(long bytes) {}
}
