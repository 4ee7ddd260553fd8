// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.placement;

import io.hdfsraid.raidapi.placement.AuditProgress;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.journal.AuditPass;
import io.hdfsraid.raidnode.upkeep.PlacementJob;
import java.time.Instant;
import java.util.Optional;

/** Reads the progress of the placement audit from the catalog. */
public final class PlacementAudits {
  private PlacementAudits() {}

  /**
   * Returns the progress of the running audit or the result of the last one; empty if there was
   * none.
   */
  public static Optional<AuditProgress> last(Catalog catalog, Instant now) {
    return PlacementJob.pass(catalog.notes()).map(pass -> view(pass, now));
  }

  private static AuditProgress view(AuditPass pass, Instant now) {
    return new AuditProgress(
        pass.began(),
        pass.ended(),
        pass.files(),
        pass.all(),
        pass.rate(),
        pass.estimatedEnd(now),
        pass.stripes(),
        pass.sharing(),
        pass.crowding(),
        pass.stuck(),
        pass.moved(),
        pass.failed());
  }
}
