// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.blockfixer.repair.RebuildOrder;
import io.hdfsraid.blockfixer.repair.RepairEngine;
import io.hdfsraid.blockfixer.repair.SentUnits;
import io.hdfsraid.raidnode.containers.Turns;
import java.io.IOException;
import java.util.function.LongConsumer;

/** Rebuilds only so many stripes at once, however many threads ask for it. */
public record LimitedRepairEngine(RepairEngine engine, Turns turns) implements RepairEngine {
  @Override
  public SentUnits send(RebuildOrder order, LongConsumer bytesRead) throws IOException {
    turns.take();
    try {
      return engine.send(order, bytesRead);
    } finally {
      turns.end();
    }
  }
}
