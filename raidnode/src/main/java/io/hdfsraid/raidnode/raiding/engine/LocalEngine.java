// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.engine;

import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.drfs.parity.UnitOutputs;
import io.hdfsraid.drfs.stripe.EncodedStripe;
import io.hdfsraid.drfs.stripe.StripeEncoder;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.engine.EncodingOrder.StripeOrder;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.Traffic;
import java.io.IOException;
import java.util.List;

/** Encodes in this process, one stripe of a draft after another. */
public final class LocalEngine implements Engine {
  private final StripeEncoder encoder;
  private final Traffic traffic;

  public LocalEngine(StripeEncoder encoder, Traffic traffic) {
    this.encoder = encoder;
    this.traffic = traffic;
  }

  @Override
  public boolean encodesNearData() {
    return false;
  }

  @Override
  public void encode(EncodingOrder order, EncodingWatcher watcher) throws IOException, LeftAlone {
    LikelyKeptFirst preference =
        new LikelyKeptFirst(
            traffic.preference(), traffic.readerLocation(), order.kept(), order.policy());
    for (StripeOrder stripe : order.stripes()) {
      EncodedStripe encoded =
          encoder.encode(
              order.codec(),
              order.layout(),
              stripe.data(),
              outputs(order, stripe),
              watcher::read,
              preference);
      watcher.encoded(
          stripe.index(),
          encoded,
          encoded.readFrom().stream()
              .map(replica -> traffic.readerLocation().distanceTo(replica.node()))
              .toList());
    }
  }

  private List<UnitOutput> outputs(EncodingOrder order, StripeOrder stripe) throws IOException {
    return UnitOutputs.open(
        stripe.favoured().size(),
        parity ->
            traffic.writes(
                Purpose.RAIDING, stripe.favoured().get(parity), stripe.create(order, parity)));
  }
}
