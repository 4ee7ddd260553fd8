// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import java.util.Objects;

/**
 * The parity that protects a file.
 *
 * @param originalReplication what the file had before, and gets back
 * @param bytes of one replica of the parity
 */
public record Parity(
    String codec,
    int originalReplication,
    int targetReplication,
    int parityReplication,
    int stripes,
    long bytes) {
  public Parity {
    Objects.requireNonNull(codec, "codec");
  }
}
