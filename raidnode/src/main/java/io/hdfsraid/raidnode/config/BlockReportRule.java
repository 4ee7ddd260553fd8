// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** Tells what to do if the NameNode drops no excess replicas before DataNodes have reported. */
public enum BlockReportRule {
  /** Names the DataNodes to the administrator. */
  @JsonProperty("ask")
  ASK,
  /** Requests the reports of these DataNodes, one after the other. */
  @JsonProperty("paced")
  PACED,
  /** Waits for the reports that DataNodes send by themselves. */
  @JsonProperty("never")
  NEVER;

  /** Returns the name in {@code raidnode.yml}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
