package io.hdfsraid.blockfixer.detect;

/** What is wrong with a unit or with one replica of it. */
public enum Fault {
  /** The NameNode knows no replica. */
  MISSING(true),
  /** Every replica the NameNode knows is corrupt. */
  CORRUPT(true),
  /** The node answers, and has no such replica although the NameNode lists it. */
  REPLICA_GONE(true),
  /** The replica's checksum is not the recorded one: other bytes were written under this block. */
  OTHER_CONTENT(true),
  /** The replica's bytes contradict its own checksums. */
  ROTTEN(true),
  /** The node did not answer. No proof that anything is lost for good: it may come back. */
  UNREACHABLE(false),
  /** The recorded block is not part of its file any more, or not as it was recorded. */
  CHANGED(false),
  /**
   * Nothing holds the recorded block any more, no file and no snapshot: nobody will read it, and
   * nothing can be rebuilt from it. There is nothing to prove, and nothing to repair.
   */
  DELETED(false);

  private final boolean provesLoss;

  Fault(boolean provesLoss) {
    this.provesLoss = provesLoss;
  }

  /** Whether it is certain that the replica (or block) is of no use any more. */
  public boolean provesLoss() {
    return provesLoss;
  }
}
