// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.util.Locale;

/** Where stripes are repaired. Those at risk are always repaired by the daemon. */
public enum RepairEngineName {
  /** Repairs by threads of the daemon. */
  @JsonProperty("local")
  LOCAL(Tuning.Repairs.NONE),
  /** Repairs in containers of the cluster. */
  @JsonProperty("yarn")
  YARN(Tuning.Repairs.ALL),
  /** Repairs in containers as long as many stripes wait. */
  @JsonProperty("auto")
  AUTO(Tuning.Repairs.IN_BULK);

  private final Tuning.Repairs inContainers;

  RepairEngineName(Tuning.Repairs inContainers) {
    this.inContainers = inContainers;
  }

  /** Returns which stripes containers repair. */
  Tuning.Repairs inContainers() {
    return inContainers;
  }

  /** Returns the name in {@code raidnode.yml}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
