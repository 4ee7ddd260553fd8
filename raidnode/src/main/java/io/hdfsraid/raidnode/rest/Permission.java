// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidnode.mode.OperatingMode;

/** Tells whether files may be raided now. They may not during a withdrawal, not even by request. */
public record Permission(OperatingMode mode) {

  /**
   * Refuses a request while no file may be raided.
   *
   * @throws ApiFailure if a withdrawal is running or has ended
   */
  public void require() {
    if (mode.gone().isPresent()) {
      throw ApiFailure.refused(
          "Nothing of HDFS-RAID is left on this cluster",
          "Restart the RaidNode to use HDFS-RAID on this cluster again.");
    }
    if (mode.withdrawal().isPresent()) {
      throw ApiFailure.refused(
          "Every file is being unraided, so no file is raided",
          "'raidshell resume --yes' ends that.");
    }
  }
}
