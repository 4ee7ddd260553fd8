// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.erasurecode.UnitSet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The policy for hedged reads of a rebuild: when to stop relying on slow helpers. A row waits for
 * its slowest helper, so one DataNode that hangs or has a failing disk would hold up the stripe
 * with its memory and its worker. If a row has waited for a while and everything it still waits for
 * is on slow nodes, a second recipe around these nodes is tried in parallel. It uses the chunks
 * that have arrived and reads the missing ones from other units. Whichever recipe completes the row
 * first continues, and the other is cancelled. So a slow helper is replaced for the rest of the
 * block.
 *
 * <p>Reading k + 1 units from the start (or all units, using the first k) is not done. It would
 * cost the bytes of one more unit in every repair, even when nothing is slow, and repairs are
 * limited by bytes. Acting only on late rows costs nothing on normal days, as with HDFS's {@code
 * dfs.client.hedged.read.threshold.millis}. It costs a chunk of a row if the slow node answers
 * first after all.
 *
 * <p>The cost depends on the code. For Reed-Solomon any other parity unit will do: one chunk for
 * each slow unit. If a local group of an LRC has lost a unit and another unit of the group is slow,
 * the group cannot help, and the rest of the block is rebuilt from the whole stripe. For
 * lrc-xorbas-10-6 this costs twice as much, which is also the cost of planning without the slow
 * unit. Codes with several sub-units then read other chunks of the same helpers. Chunks that both
 * recipes need are not read again. If no recipe avoids the slow nodes, the rebuild waits.
 *
 * <p>Hedging is bounded. A row has one alternative recipe at most, no alternative begins without
 * free memory, and each alternative that fails excludes a unit permanently. Safe for concurrent
 * use.
 */
public interface HedgePolicy {
  /** Never hedges: waits for helpers until they answer or fail. */
  HedgePolicy NEVER =
      new HedgePolicy() {
        @Override
        public Optional<Duration> after() {
          return Optional.empty();
        }

        @Override
        public boolean isSlow(DataNode node, Duration after) {
          return false;
        }

        @Override
        public void began(LocatedStripe stripe, UnitSet slow, UnitSet instead) {}

        @Override
        public void ended(boolean faster) {}

        @Override
        public void read(long bytes) {}
      };

  /** Returns how long a row may wait; empty for no limit. Called for each row. */
  Optional<Duration> after();

  /**
   * Returns how long a row may wait for a helper that nothing can replace, which then counts as
   * lost; empty if the DataNodes' own timeouts are awaited.
   */
  default Optional<Duration> deadline() {
    return Optional.empty();
  }

  /** Called when helpers on these nodes count as lost, because they did not answer in time. */
  default void gaveUp(List<DataNode> nodes) {}

  /**
   * Whether a read has waited for this node for the given time. Time spent waiting for our own rate
   * limits does not count. When there is much to repair, all reads wait for these limits, and
   * reading more would prolong the wait.
   */
  boolean isSlow(DataNode node, Duration after);

  /**
   * Called when an alternative recipe begins.
   *
   * @param slow the units that the row waits for
   * @param instead the helpers of the alternative recipe
   */
  void began(LocatedStripe stripe, UnitSet slow, UnitSet instead);

  /**
   * Called when an alternative recipe ends. Not called if the whole rebuild fails before.
   *
   * @param faster whether the alternative completed the row first and continues
   */
  void ended(boolean faster);

  /** Called when a row has read more bytes than planned. */
  void read(long bytes);
}
