package io.hdfsraid.drfs.parity;

/**
 * How far the protection of a file by its parity has come; kept on the parity file itself, so that
 * a daemon that starts anew knows what a replication count means: not yet lowered by us, raised by
 * a user, or raised by us to let go.
 */
public enum ParityPhase {
  /** Committed; the replication of the source was not yet seen lowered by us. */
  COMMITTED("committed"),
  /** We lowered the replication of the source; what it is now is somebody's wish. */
  REDUCED("reduced"),
  /** The parity is on its way out: the replication of the source was, or is about to be, raised. */
  RETIRING("retiring");

  private final String tag;

  ParityPhase(String tag) {
    this.tag = tag;
  }

  /** How it is written on HDFS. */
  public String tag() {
    return tag;
  }

  /**
   * The phase with the given tag.
   *
   * @throws IllegalArgumentException when a newer version wrote it
   */
  public static ParityPhase ofTag(String tag) {
    for (ParityPhase phase : values()) {
      if (phase.tag.equals(tag)) {
        return phase;
      }
    }
    throw new IllegalArgumentException(
        "Unknown phase '%s' on a parity file; was it written by a newer version?".formatted(tag));
  }
}
