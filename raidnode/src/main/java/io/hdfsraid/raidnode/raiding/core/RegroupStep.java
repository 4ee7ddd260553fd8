// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

/**
 * The steps of encoding a group again without members that were changed, deleted or released, in
 * order. The steps of {@link RaidStep} lie between the first two, for the successor.
 */
public enum RegroupStep {
  /** What has changed has its replication back, and so has what stripes at risk hold. */
  PROTECTED,
  /** The successor is committed, and the memberships name it. */
  SUCCEEDED,
  /** The old parity is in quarantine: nothing that still lives depends on it. */
  RETIRED
}
