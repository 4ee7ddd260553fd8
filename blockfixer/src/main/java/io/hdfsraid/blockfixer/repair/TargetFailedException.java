package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.drfs.block.DataNode;
import java.io.IOException;

/** A target did not take its unit: another one has to be chosen. */
final class TargetFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final transient DataNode target;

  TargetFailedException(PlannedDelivery delivery, IOException cause) {
    super(
        "%s did not take unit %d (%s): %s"
            .formatted(delivery.target(), delivery.unit(), delivery.block(), cause),
        cause);
    target = delivery.target();
  }

  DataNode target() {
    return target;
  }
}
