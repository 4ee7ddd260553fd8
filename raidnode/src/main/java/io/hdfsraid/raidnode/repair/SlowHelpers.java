// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.blockfixer.repair.StallLimit;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.stripe.HedgePolicy;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.journal.RaidEvents;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hedging policy of the daemon's repairs, with a delay from the settings and metrics. Slowness
 * is measured below our own rate limits.
 */
public final class SlowHelpers implements HedgePolicy {
  private static final Logger LOG = LoggerFactory.getLogger(SlowHelpers.class);

  private final StallLimit calls;
  private final Supplier<Duration> after;
  private final RaidEvents events;

  /**
   * @param calls all calls to DataNodes
   * @param after how long a row waits; zero for no limit
   */
  public SlowHelpers(StallLimit calls, Supplier<Duration> after, RaidEvents events) {
    this.calls = calls;
    this.after = after;
    this.events = events;
  }

  @Override
  public Optional<Duration> after() {
    return Optional.of(after.get()).filter(wait -> !wait.isZero());
  }

  @Override
  public boolean isSlow(DataNode node, Duration wait) {
    return calls.isSlow(node, wait);
  }

  @Override
  public void began(LocatedStripe stripe, UnitSet slow, UnitSet instead) {
    LOG.atInfo()
        .addKeyValue("stripe", stripe)
        .addKeyValue("slow", slow)
        .addKeyValue("helpers", instead)
        .log("Units of a stripe in repair are slow; others are read beside them");
  }

  @Override
  public void ended(boolean faster) {
    events.hedged(faster);
  }

  @Override
  public void read(long bytes) {
    events.hedgeRead(bytes);
  }
}
