package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.blockfixer.repair.StallLimit;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.stripe.Hedge;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has repairs read around DataNodes that keep them waiting, as the setting says, and tells of it. A
 * node is slow by the calls that stand below our own rates and streams.
 */
final class SlowHelpers implements Hedge {
  private static final Logger LOG = LoggerFactory.getLogger(SlowHelpers.class);

  private final StallLimit calls;
  private final Supplier<Duration> after;
  private final RaidEvents events;

  /**
   * @param calls all those to DataNodes
   * @param after how long a row waits; zero for as long as it takes
   */
  SlowHelpers(StallLimit calls, Supplier<Duration> after, RaidEvents events) {
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
