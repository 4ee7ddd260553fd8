package io.hdfsraid.raidnode.schedule;

/** Tells failures that belong to a trouble which is already reported. */
@FunctionalInterface
public interface KnownTrouble {
  KnownTrouble NONE = failure -> false;

  /** Returns whether nothing need be said of this failure. May take as long as HDFS does. */
  boolean explains(Throwable failure);
}
