package io.hdfsraid.raidnode.catalog;

/**
 * Where a file stands on its way to being protected by parity.
 *
 * <pre>
 * LEFT ⇄ CANDIDATE → ENCODING → VERIFIED → COMMITTED → REDUCED → RAIDED → UNRAIDING → LEFT
 *                                                                      ↘ RETIRED
 * </pre>
 */
public enum FileStatus {
  /** Judged and left as it is; the standing says why. */
  LEFT("left"),
  /** Judged cold enough; waits for its turn. */
  CANDIDATE("candidate"),
  /** Its parity is being made; nothing of it counts yet. */
  ENCODING("encoding"),
  /** Its parity is written and its checksums are compared; it is not in its place yet. */
  VERIFIED("verified"),
  /** Its parity is in its place; the source has all its replicas. */
  COMMITTED("committed"),
  /** Its replication was lowered; excess replicas may still exist, placement is not audited. */
  REDUCED("reduced"),
  /** Protected, and audited. */
  RAIDED("raided"),
  /** Its replication was raised; its parity stays until the replicas are live. */
  UNRAIDING("unraiding"),
  /** It changed or vanished; its parity is kept for a while before it is purged. */
  RETIRED("retired");

  private final String tag;

  FileStatus(String tag) {
    this.tag = tag;
  }

  /** How it is written in the catalog, in metrics and in answers; never changes. */
  public String tag() {
    return tag;
  }

  /**
   * The status with the given tag.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static FileStatus ofTag(String tag) {
    for (FileStatus status : values()) {
      if (status.tag.equals(tag)) {
        return status;
      }
    }
    throw new IllegalArgumentException("unknown status of a file '" + tag + "'");
  }
}
