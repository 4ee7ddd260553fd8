package io.hdfsraid.raidnode.raid;

/** Hears how raiding a file goes on. Called from several threads. */
@FunctionalInterface
public interface RaidProgress {
  RaidProgress NONE = bytes -> {};

  /** So many more source bytes were encoded. */
  void encoded(long bytes);
}
