package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

/**
 * How parity is computed.
 *
 * @param kernel the inner loop of the codecs: the name of one, or {@code auto}, the default, for
 *     those that are measured to be the fastest here
 */
public record CodingSettings(String kernel) {
  public CodingSettings {
    kernel = requireNonNullElse(kernel, "auto");
  }
}
