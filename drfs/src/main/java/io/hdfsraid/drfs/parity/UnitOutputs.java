// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Opens the parity units of a stripe, all of them or none. */
public final class UnitOutputs {
  private UnitOutputs() {}

  /** Opens one parity unit. */
  @FunctionalInterface
  public interface Opening {
    UnitOutput open(int parity) throws IOException;
  }

  /**
   * Opens the parity units 0 to count-1, one after another.
   *
   * @throws IOException if one cannot be opened; those before it are closed then
   */
  public static List<UnitOutput> open(int count, Opening opening) throws IOException {
    List<UnitOutput> outputs = new ArrayList<>(count);
    try {
      for (int parity = 0; parity < count; parity++) {
        outputs.add(opening.open(parity));
      }
      return outputs;
    } catch (IOException e) {
      for (UnitOutput output : outputs) {
        try {
          output.close();
        } catch (IOException closing) {
          e.addSuppressed(closing);
        }
      }
      throw e;
    }
  }
}
