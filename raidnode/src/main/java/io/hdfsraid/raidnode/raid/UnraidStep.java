package io.hdfsraid.raidnode.raid;

/** The steps of letting a raided file go, in order. */
public enum UnraidStep {
  /** The parity file says that it is being retired. */
  MARKED,
  /** Replication is raised to what it was. */
  RAISED,
  /** Every block has its replicas again. */
  RESTORED,
  /** The parity is in quarantine. */
  QUARANTINED,
  /** The parity is deleted. */
  PURGED
}
