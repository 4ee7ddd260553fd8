// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Thrown when a rebuilt unit differs from what was encoded although every byte passed the checksums
 * of its DataNode. Some unit of the stripe holds other content than at encoding.
 */
public final class WrongContentException extends IOException {
  private static final long serialVersionUID = 1L;

  public WrongContentException(LocatedStripe stripe, int unit, int recorded, int rebuilt) {
    super(
        "Unit %d of %s was rebuilt with CRC32C %08x, but %08x was recorded when it was encoded: some unit of this stripe holds other bytes than at encoding. The result was discarded. Scrub the stripe to find the unit"
            .formatted(unit, stripe, rebuilt, recorded));
  }

  /** Compares the bytes of a whole unit with the recorded CRC. */
  static void check(LocatedStripe stripe, StripeUnit unit, ByteBuffer bytes)
      throws WrongContentException {
    CRC32C crc = new CRC32C();
    crc.update(bytes.duplicate());
    if ((int) crc.getValue() != unit.crc()) {
      throw new WrongContentException(stripe, unit.unit(), unit.crc(), (int) crc.getValue());
    }
  }
}
