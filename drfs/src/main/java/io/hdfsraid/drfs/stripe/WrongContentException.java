package io.hdfsraid.drfs.stripe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A rebuilt unit is not what was encoded, although every byte read for it passed its node's
 * checksums: some unit of the stripe has other content than it had then.
 */
public final class WrongContentException extends IOException {
  private static final long serialVersionUID = 1L;

  public WrongContentException(LocatedStripe stripe, int unit, int recorded, int rebuilt) {
    super(
        "Unit %d of %s was rebuilt with CRC32C %08x, but %08x was recorded when it was encoded: some unit of this stripe has other bytes than it had then, so the result was thrown away; scrub the stripe to find which"
            .formatted(unit, stripe, rebuilt, recorded));
  }

  /** Holds the bytes of a whole unit against what was recorded. */
  static void check(LocatedStripe stripe, StripeUnit unit, ByteBuffer bytes)
      throws WrongContentException {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    if ((int) crc.getValue() != unit.crc()) {
      throw new WrongContentException(stripe, unit.unit(), unit.crc(), (int) crc.getValue());
    }
  }
}
