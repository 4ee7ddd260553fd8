// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

/** The steps of releasing a raided file, in order. */
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
