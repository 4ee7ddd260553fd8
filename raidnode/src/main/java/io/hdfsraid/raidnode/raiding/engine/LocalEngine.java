// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.engine;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.drfs.stripe.EncodedStripe;
import io.hdfsraid.drfs.stripe.StripeEncoder;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.engine.EncodingOrder.StripeOrder;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.Traffic;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
    List<UnitOutput> outputs = new ArrayList<>(stripe.favoured().size());
    try {
      for (DataNode node : stripe.favoured()) {
        int index = stripe.index() * stripe.favoured().size() + outputs.size();
        UnitOutput output = order.draft().create(index, Optional.of(node), stripe.parityLength());
        outputs.add(traffic.writes(Purpose.RAIDING, node, output));
      }
      return outputs;
    } catch (IOException e) {
      closeAll(outputs, e);
      throw e;
    }
  }

  private static void closeAll(List<UnitOutput> outputs, IOException because) {
    for (UnitOutput output : outputs) {
      try {
        output.close();
      } catch (IOException e) {
        because.addSuppressed(e);
      }
    }
  }
}
