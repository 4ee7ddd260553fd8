// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.drfs.stripe.HelperReads;
import io.hdfsraid.drfs.stripe.RebuiltStripe;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import io.hdfsraid.drfs.stripe.UnitSink;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Rebuilds in this process. */
public final class LocalRepairEngine implements RepairEngine {
  private final StripeRebuilder rebuilder;
  private final BlockDelivery delivery;

  public LocalRepairEngine(StripeRebuilder rebuilder, BlockDelivery delivery) {
    this.rebuilder = rebuilder;
    this.delivery = delivery;
  }

  @Override
  public SentUnits send(RebuildOrder order, LongConsumer bytesRead) throws IOException {
    Sent sent = new Sent();
    boolean sentAll = false;
    try {
      RebuiltStripe rebuilt =
          rebuilder.rebuild(
              order.stripe(), order.recipe(), () -> sent.open(delivery, order), bytesRead);
      for (OutgoingUnit unit : sent.units.values()) {
        unit.prove(order.stripe());
      }
      sent.reads = rebuilt.reads();
      sentAll = true;
      return sent;
    } catch (IOException e) {
      // The rebuilder may have wrapped it.
      Optional<TargetFailedException> failure = sent.failure();
      throw failure.isPresent() ? failure.get() : e;
    } finally {
      if (!sentAll) {
        sent.close();
      }
    }
  }

  private static final class Sent implements SentUnits {
    private final Map<Integer, OutgoingUnit> units = new LinkedHashMap<>();
    private HelperReads reads = new HelperReads(Map.of(), Map.of(), List.of());

    Map<Integer, UnitSink> open(BlockDelivery delivery, RebuildOrder order)
        throws TargetFailedException {
      for (PlannedDelivery planned : order.deliveries()) {
        units.put(planned.unit(), OutgoingUnit.open(delivery, planned));
      }
      return new HashMap<>(units);
    }

    Optional<TargetFailedException> failure() {
      return units.values().stream().flatMap(unit -> unit.failure().stream()).findFirst();
    }

    @Override
    public HelperReads reads() {
      return reads;
    }

    @Override
    public void finish(PlannedDelivery unit) throws TargetFailedException {
      units.get(unit.unit()).finish();
    }

    @Override
    public void close() {
      units.values().forEach(Sent::closeQuietly);
    }

    private static void closeQuietly(OutgoingUnit unit) {
      try {
        unit.close();
      } catch (IOException e) {
        // Kept replicas are finished. Others are dropped by closing the connection, even if that
        // fails.
      }
    }
  }
}
