package io.hdfsraid.raidnode.raid;

/**
 * The steps of encoding a group again without members that were changed, deleted or let go, in
 * order. Between the first two lie those of {@link RaidStep}, for the successor.
 */
public enum RegroupStep {
  /** What has changed has its replication back, and so has what stripes at risk hold. */
  PROTECTED,
  /** The successor is committed and its members are told. */
  SUCCEEDED,
  /** The old parity is in quarantine: nothing that still lives depends on it. */
  RETIRED
}
