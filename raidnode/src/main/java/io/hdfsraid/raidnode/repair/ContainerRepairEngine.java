// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.blockfixer.repair.RebuildOrder;
import io.hdfsraid.blockfixer.repair.RepairEngine;
import io.hdfsraid.blockfixer.repair.SentUnits;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.containers.JobDispatcher;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds in containers of the cluster. What a container cannot do, this process does: it does not
 * take the word of a container for a loss, but meets it itself.
 */
public final class ContainerRepairEngine implements RepairEngine {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerRepairEngine.class);

  /**
   * A container drops what it is not told about for 45 s; then it acknowledges nothing any more.
   */
  private static final Duration ACKNOWLEDGED_WITHIN = Duration.ofMinutes(2);

  private final JobDispatcher dispatcher;
  private final RepairEngine local;
  private final Function<RebuildOrder, UnitSet> lost;
  private final Duration acknowledgedWithin;
  private final AtomicInteger waiting;

  /**
   * @param local rebuilds what containers do not
   * @param lost tells what is known now to be lost of the stripe of an order
   * @param waiting counts the threads that wait for containers, and do nothing meanwhile
   */
  public ContainerRepairEngine(
      JobDispatcher dispatcher,
      RepairEngine local,
      Function<RebuildOrder, UnitSet> lost,
      AtomicInteger waiting) {
    this(dispatcher, local, lost, waiting, ACKNOWLEDGED_WITHIN);
  }

  ContainerRepairEngine(
      JobDispatcher dispatcher,
      RepairEngine local,
      Function<RebuildOrder, UnitSet> lost,
      AtomicInteger waiting,
      Duration acknowledgedWithin) {
    this.dispatcher = dispatcher;
    this.local = local;
    this.lost = lost;
    this.waiting = waiting;
    this.acknowledgedWithin = acknowledgedWithin;
  }

  @Override
  public SentUnits send(RebuildOrder order, LongConsumer bytesRead) throws IOException {
    if (dispatcher.accepts()) {
      WaitingRepair repair = new WaitingRepair(order, acknowledgedWithin);
      Optional<SentUnits> sent = inContainer(repair, order, bytesRead);
      if (sent.isPresent()) {
        return sent.get();
      }
      LOG.atWarn()
          .addKeyValue("stripe", order.stripe())
          .log("No container has rebuilt it; the daemon does: {}", repair.why());
    }
    return local.send(order, bytesRead);
  }

  private Optional<SentUnits> inContainer(
      WaitingRepair repair, RebuildOrder order, LongConsumer bytesRead) throws IOException {
    UnitSet before = lost.apply(order);
    waiting.incrementAndGet();
    try {
      dispatcher.add(repair);
      return repair.awaitSent(() -> !before.containsAll(lost.apply(order)), bytesRead);
    } finally {
      waiting.decrementAndGet();
    }
  }
}
