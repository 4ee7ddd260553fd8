// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.util.List;

/**
 * Thrown when units that a recipe reads turn out to be unreadable. The recipe must be planned again
 * without them.
 */
public final class HelperLostException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient UnitSet units;

  public HelperLostException(LocatedStripe stripe, UnitSet units, IOException cause) {
    super("Units %s of %s cannot be read: %s".formatted(units, stripe, cause.getMessage()), cause);
    this.units = units;
  }

  /** Returns the units that are lost, too. */
  public UnitSet units() {
    return units;
  }

  /** Returns the replicas that were tried, in order. */
  public List<FailedReplica> failed() {
    return getCause() instanceof UnitUnreadableException unreadable
        ? unreadable.failed()
        : List.of();
  }
}
