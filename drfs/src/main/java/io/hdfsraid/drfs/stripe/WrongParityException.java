// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import java.io.IOException;

/**
 * Thrown when the parity that was computed for a stripe does not belong to its data. The memory of
 * this machine or the code that computes parity is at fault.
 */
public final class WrongParityException extends IOException {
  private static final long serialVersionUID = 1L;

  WrongParityException(String codec, String blocks) {
    super(
        "The parity of %s that was computed for %s does not belong to it; it was discarded. Either the memory of this machine flips bits, or its kernel for this codec is wrong: test the memory, and set coding.kernel to portable"
            .formatted(codec, blocks));
  }
}
