package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.erasurecode.UnitSet;
import java.time.Duration;
import java.util.Optional;

/**
 * When a rebuild does not rely on its helpers alone. A row waits for the slowest of them, so one
 * DataNode that hangs, or has a failing disk, holds up the stripe with its memory and its worker.
 * Once a row has waited for a while, and everything it still waits for is on nodes that keep us
 * waiting, another recipe is tried around them, beside the first one: what is there is used, what
 * is missing is read from units further afield, and whichever has the row first is gone on with.
 * The other is given up, so that a slow helper is replaced for the rest of the block.
 *
 * <p>Reading k + 1 units from the start (or all, and taking the first k) is not done: it costs the
 * bytes of a whole unit with each repair, on every day on which nothing is slow, and repairs are
 * limited by bytes. Looking only at rows that are late costs none on such days, as with HDFS's
 * {@code dfs.client.hedged.read.threshold.millis}, and a chunk of a row when the slow node comes
 * first after all.
 *
 * <p>What it costs depends on the code. Any other parity unit will do for Reed-Solomon: one chunk
 * for each unit that is slow. Where a local group of an LRC has lost a unit and another one is
 * slow, the group cannot help any more, and the rest of the block is rebuilt from all of the
 * stripe: twice as much for lrc-xorbas-10-6, which is what planning without that unit would cost.
 * Codes of several sub-units read other chunks of the same helpers then; those chunks that both
 * recipes want are not read again. Where no recipe goes without what is slow, there is nothing to
 * be done but wait.
 *
 * <p>Bounded: a row has one recipe beside its own, no recipe begins while there is no memory for
 * it, and each that fails is without a unit for good. Safe for concurrent use.
 */
public interface Hedge {
  /** Waits for helpers until they answer or fail. */
  Hedge NEVER =
      new Hedge() {
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

  /** How long a row may wait; empty for as long as it takes. Asked anew for each row. */
  Optional<Duration> after();

  /**
   * Whether somebody has waited for this node for so long. Time that is spent waiting for our own
   * rates does not count: when much is to be repaired, everything waits for them, and reading more
   * would make it longer.
   */
  boolean isSlow(DataNode node, Duration after);

  /**
   * Another recipe begins.
   *
   * @param slow what the row waits for
   * @param instead the helpers of the other recipe
   */
  void began(LocatedStripe stripe, UnitSet slow, UnitSet instead);

  /**
   * Each that began ends, unless the whole rebuild fails in between.
   *
   * @param faster it had the row first, and is gone on with
   */
  void ended(boolean faster);

  /** A row has taken so many bytes more than the plan has for it. */
  void read(long bytes);
}
