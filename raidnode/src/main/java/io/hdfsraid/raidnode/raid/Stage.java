package io.hdfsraid.raidnode.raid;

/**
 * Where a file stands on its way into protection by parity and out of it.
 *
 * <pre>
 *   REPLICATED ─▶ COMMITTED ─▶ REDUCED ─▶ RAIDED ─▶ RETIRING ─▶ REPLICATED
 *       └──────────────┴───────────┴─────────┴──▶ (changed by a user) RETIRING
 * </pre>
 */
public enum Stage {
  /** Plain replication; no parity. */
  REPLICATED("replicated"),
  /** Parity is committed, replication is not lowered yet. */
  COMMITTED("committed"),
  /**
   * Replication is lowered; excess replicas may still be there, and the placement is not audited.
   */
  REDUCED("reduced"),
  /** Audited: every stripe bears what its codec promises. */
  RAIDED("raided"),
  /** Replication is being restored; the parity stays until every block has its replicas. */
  RETIRING("retiring"),
  /** The file is gone; its parity stays while anything holds one of its blocks. */
  ORPHANED("orphaned");

  private final String tag;

  Stage(String tag) {
    this.tag = tag;
  }

  /** How it is written down. */
  public String tag() {
    return tag;
  }
}
