// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.drfs.block.DataNode;
import java.io.IOException;

/** Thrown when a target does not take its unit. Another target must be selected. */
public final class TargetFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient DataNode target;

  public TargetFailedException(PlannedDelivery delivery, IOException cause) {
    super(
        "%s did not take unit %d (%s): %s"
            .formatted(delivery.target(), delivery.unit(), delivery.block(), cause),
        cause);
    target = delivery.target();
  }

  public DataNode target() {
    return target;
  }
}
