package io.hdfsraid.raidnode.view;

import io.hdfsraid.raidapi.AuditView;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.rounds.AuditPass;
import io.hdfsraid.raidnode.rounds.PlacementRound;
import java.time.Instant;
import java.util.Optional;

/** The audit of all placements, as the catalog has it written down. */
final class PlacementAudits {
  private PlacementAudits() {}

  /** How far it has come, or how the last one ended; empty when there was none. */
  static Optional<AuditView> last(Catalog catalog, Instant now) {
    return PlacementRound.pass(catalog.notes()).map(pass -> view(pass, now));
  }

  private static AuditView view(AuditPass pass, Instant now) {
    return new AuditView(
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
