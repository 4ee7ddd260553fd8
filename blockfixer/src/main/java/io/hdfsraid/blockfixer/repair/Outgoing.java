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
 * A rebuilt unit on its way: what goes by is counted and its CRC taken, so that exactly what was
 * sent is what is proven.
 */
final class Outgoing implements UnitSink, Closeable {
  private final PlannedDelivery planned;
  private final Delivery delivery;
  private final CRC32C crc = new CRC32C();
  private long bytes;
  private volatile TargetFailedException failure;

  private Outgoing(PlannedDelivery planned, Delivery delivery) {
    this.planned = planned;
    this.delivery = delivery;
  }

  static Outgoing open(BlockDelivery delivery, PlannedDelivery planned)
      throws TargetFailedException {
    try {
      return new Outgoing(
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

  PlannedDelivery planned() {
    return planned;
  }

  /** Whether it was the target that failed, however the rebuilder dresses it up. */
  Optional<TargetFailedException> failure() {
    return Optional.ofNullable(failure);
  }

  /** To be called when all bytes are through and before {@link #finish}. */
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

  /** Drops what was sent, unless it was finished. */
  @Override
  public void close() throws IOException {
    delivery.close();
  }
}
