package io.hdfsraid.blockfixer.repair;

import java.io.IOException;

/** Ends an attempt for this time; becomes {@link RepairOutcome.Postponed}. */
final class NotNowException extends IOException {
  private static final long serialVersionUID = 1L;

  private final RepairOutcome.Reason reason;

  NotNowException(RepairOutcome.Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  RepairOutcome.Reason reason() {
    return reason;
  }
}
