package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import java.io.IOException;

/** The rebuilt bytes are not the recorded ones, so a helper is silently wrong. Nothing was kept. */
final class WrongContentException extends IOException {
  private static final long serialVersionUID = 1L;

  WrongContentException(LocatedStripe stripe, PlannedDelivery delivery, long bytes, int crc) {
    super(
        "Unit %d of %s (%s) was rebuilt to %d bytes with CRC32C %08x, but %08x was recorded: a unit it was rebuilt from is silently wrong. Nothing was delivered; read all units of the stripe to find out which"
            .formatted(delivery.unit(), stripe, delivery.block(), bytes, crc, delivery.crc()));
  }
}
