// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.placement;

/** The steps of a move, in order; each is announced after it is done. */
public enum MoveStep {
  /** The target has the replica; the NameNode may list both places. */
  COPIED,
  /** The NameNode lists the new place and not the old one. */
  SETTLED
}
