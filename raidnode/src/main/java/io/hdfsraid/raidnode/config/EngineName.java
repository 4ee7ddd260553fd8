// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** Where files are encoded. */
public enum EngineName {
  /** Encodes by threads of the daemon. */
  @JsonProperty("local")
  LOCAL,
  /** Encodes in containers of the cluster. */
  @JsonProperty("yarn")
  YARN;

  /** Returns the name in {@code raidnode.yml}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
