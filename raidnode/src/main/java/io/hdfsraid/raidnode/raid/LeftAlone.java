package io.hdfsraid.raidnode.raid;

import io.hdfsraid.policies.Reason;

/**
 * A step found that the file must be left as it is. Nothing was done that would have to be undone.
 */
final class LeftAlone extends Exception {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  LeftAlone(Reason reason, String detail) {
    super(detail);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }
}
