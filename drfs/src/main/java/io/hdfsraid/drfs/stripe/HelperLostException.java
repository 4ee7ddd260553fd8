package io.hdfsraid.drfs.stripe;

import java.io.IOException;
import java.util.List;

/**
 * Thrown when a unit that a recipe reads turns out to be unreadable. The recipe must be planned
 * again without this unit.
 */
public final class HelperLostException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int unit;

  public HelperLostException(LocatedStripe stripe, int unit, IOException cause) {
    super("Unit %d of %s cannot be read: %s".formatted(unit, stripe, cause.getMessage()), cause);
    this.unit = unit;
  }

  /** Returns the unit that is lost, too. */
  public int unit() {
    return unit;
  }

  /** Returns the replicas that were tried, in order. */
  public List<FailedReplica> failed() {
    return getCause() instanceof UnitUnreadableException unreadable
        ? unreadable.failed()
        : List.of();
  }
}
