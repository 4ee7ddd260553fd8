// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

/**
 * The steps of raiding a file, in order. {@code docs/design/raiding.md} has the table of crashes.
 */
public enum RaidStep {
  /** The file was found fit; nothing is written. */
  PINNED,
  /** All parity units are written, one file each, in a draft. */
  ENCODED,
  /** The draft is one parity file with its manifest and its access rights. */
  DESCRIBED,
  /** DataNodes have answered the recorded checksum for every replica of every unit. */
  VERIFIED,
  /** The parity is in its place. */
  COMMITTED,
  /** Replication is lowered: the point of no return. */
  REDUCED,
  /** The parity file says that replication was lowered by us. */
  MARKED,
  /** Excess replicas are gone and units that shared a node are moved. */
  SPREAD,
  /** The source was found unchanged once more; the file is raided. */
  RAIDED
}
