// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.repairs;

import io.hdfsraid.raidapi.repairs.RepairStorm;
import io.hdfsraid.raidapi.repairs.StormReport;
import io.hdfsraid.raidapi.repairs.StormRequest;
import io.hdfsraid.raidnode.repair.StormBreaker;
import java.io.IOException;
import java.util.Optional;

/**
 * Reports whether most repairs pause because much has failed at once, and lets an operator override
 * the pause.
 */
public class StormService {
  private final StormBreaker storms;

  public StormService(StormBreaker storms) {
    this.storms = storms;
  }

  /** Returns the state as HDFS shows it now. */
  public StormReport storm() throws IOException {
    return new StormReport(storms.look().map(RepairWork::view), false);
  }

  public StormReport override(StormRequest request, String by) throws IOException {
    if (request.dryRun()) {
      return storm();
    }
    Optional<RepairStorm> storm = storms.override(by).map(RepairWork::view);
    return new StormReport(storm, storm.isPresent());
  }
}
