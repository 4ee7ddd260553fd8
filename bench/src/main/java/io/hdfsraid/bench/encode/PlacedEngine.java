// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.encode;

import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.parity.UnitOutputs;
import io.hdfsraid.drfs.stripe.EncodedStripe;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeEncoder;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.engine.EncodingOrder;
import io.hdfsraid.raidnode.raiding.engine.EncodingOrder.StripeOrder;
import io.hdfsraid.raidnode.raiding.engine.EncodingWatcher;
import io.hdfsraid.raidnode.raiding.engine.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Executor;

/** Encodes each stripe as a container on some machine would. */
final class PlacedEngine implements Engine {
  private final DataNodes dataNodes;
  private final Executor executor;
  private final Containers containers;
  private final boolean near;

  /**
   * @param executor for reads and writes
   * @param near whether stripes are formed and encoded near the data; otherwise anywhere
   */
  PlacedEngine(DataNodes dataNodes, Executor executor, Containers containers, boolean near) {
    this.dataNodes = dataNodes;
    this.executor = executor;
    this.containers = containers;
    this.near = near;
  }

  @Override
  public boolean encodesNearData() {
    return near;
  }

  @Override
  public void encode(EncodingOrder order, EncodingWatcher watcher) throws IOException, LeftAlone {
    for (StripeOrder stripe : order.stripes()) {
      Container container = near ? containers.nearest(stripe.data()) : containers.any();
      EncodedStripe encoded;
      try {
        encoded = encode(order, stripe, container, watcher);
      } finally {
        containers.back(container);
      }
      watcher.encoded(
          stripe.index(),
          encoded,
          encoded.readFrom().stream()
              .map(replica -> container.distanceTo(replica.node()))
              .toList());
    }
  }

  private EncodedStripe encode(
      EncodingOrder order, StripeOrder stripe, Container container, EncodingWatcher watcher)
      throws IOException {
    int m = stripe.favoured().size();
    int d = stripe.data().size();
    try {
      return new StripeEncoder(
              container.reading(dataNodes), executor, container, RowMemory.UNLIMITED)
          .encode(
              order.codec(),
              order.layout(),
              stripe.data(),
              UnitOutputs.open(m, parity -> stripe.create(order, parity)),
              bytes -> {
                watcher.read(bytes);
                write(container, bytes * m / d);
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Parity is written to other machines. */
  private static void write(Container container, long bytes) {
    try {
      container.link().carry(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
