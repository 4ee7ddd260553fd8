package io.hdfsraid.drfs.stripe;

import java.io.IOException;
import java.util.List;

/**
 * A unit that a recipe reads turned out not to be readable: the recipe must be made anew without
 * it.
 */
public final class HelperLostException extends IOException {
  private static final long serialVersionUID = 1L;

  private final int unit;

  public HelperLostException(LocatedStripe stripe, int unit, IOException cause) {
    super("Unit %d of %s cannot be read: %s".formatted(unit, stripe, cause.getMessage()), cause);
    this.unit = unit;
  }

  /** The unit that is lost too. */
  public int unit() {
    return unit;
  }

  /** The replicas that were tried, in order. */
  public List<FailedReplica> failed() {
    return getCause() instanceof UnitUnreadableException unreadable
        ? unreadable.failed()
        : List.of();
  }
}
