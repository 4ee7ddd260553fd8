// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

/**
 * How parity is computed.
 *
 * @param kernel name of the kernel that computes parity; default {@code auto}, which chooses the
 *     fastest kernels of this machine
 */
public record CodingSettings(String kernel) {
  public CodingSettings {
    kernel = requireNonNullElse(kernel, "auto");
  }
}
