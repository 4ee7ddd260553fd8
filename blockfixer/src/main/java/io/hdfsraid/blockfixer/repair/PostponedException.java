// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import java.io.IOException;

/** Ends an attempt for now. It becomes a {@link RepairOutcome.Postponed}. */
final class PostponedException extends IOException {
  private static final long serialVersionUID = 1L;

  private final RepairOutcome.Reason reason;

  PostponedException(RepairOutcome.Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  RepairOutcome.Reason reason() {
    return reason;
  }
}
