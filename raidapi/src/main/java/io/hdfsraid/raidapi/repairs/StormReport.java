// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.repairs;

import io.hdfsraid.raidapi.Absent;
import java.util.Optional;

/**
 * Whether most repairs pause because much has failed at once.
 *
 * @param storm the storm that is, or was until this request; empty if repairs do not pause
 * @param overridden whether this request has let all repairs go on
 */
public record StormReport(Optional<RepairStorm> storm, boolean overridden) {
  public StormReport {
    storm = Absent.toEmpty(storm);
  }
}
