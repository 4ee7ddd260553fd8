// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.UnitSink;
import io.hdfsraid.drfs.stripe.WrongContentException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * A rebuilt unit that is being sent. Its bytes are counted and their CRC is computed, so that
 * exactly the bytes sent are verified.
 */
final class OutgoingUnit implements UnitSink, Closeable {
  private final PlannedDelivery planned;
  private final Delivery delivery;
  private final CRC32C crc = new CRC32C();
  private long bytes;
  private volatile TargetFailedException failure;

  private OutgoingUnit(PlannedDelivery planned, Delivery delivery) {
    this.planned = planned;
    this.delivery = delivery;
  }

  static OutgoingUnit open(BlockDelivery delivery, PlannedDelivery planned)
      throws TargetFailedException {
    try {
      return new OutgoingUnit(
          planned, delivery.open(planned.block(), planned.target(), planned.storageType()));
    } catch (IOException e) {
      throw new TargetFailedException(planned, e);
    }
  }

  @Override
  public void accept(ByteBuffer buffer) throws IOException {
    crc.update(buffer.duplicate());
    bytes += buffer.remaining();
    try {
      delivery.accept(buffer);
    } catch (IOException e) {
      failure = new TargetFailedException(planned, e);
      throw failure;
    }
  }

  /** Returns the failure of the target, if there was one. The rebuilder may have wrapped it. */
  Optional<TargetFailedException> failure() {
    return Optional.ofNullable(failure);
  }

  /** Verifies the unit. Must be called after the last byte and before {@link #finish}. */
  void prove(LocatedStripe stripe) throws WrongContentException {
    int sent = (int) crc.getValue();
    if (sent != planned.crc() || bytes != planned.block().length()) {
      throw new WrongContentException(stripe, planned.unit(), planned.crc(), sent);
    }
  }

  void finish() throws TargetFailedException {
    try {
      delivery.finish();
    } catch (IOException e) {
      throw new TargetFailedException(planned, e);
    }
  }

  /** Drops the bytes sent, unless the delivery was finished. */
  @Override
  public void close() throws IOException {
    delivery.close();
  }
}
