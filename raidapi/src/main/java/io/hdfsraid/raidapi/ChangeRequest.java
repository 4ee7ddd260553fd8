package io.hdfsraid.raidapi;

/** The body of a request that changes something, unless it only asks for a preview. */
public interface ChangeRequest {
  /** Returns whether nothing is to be changed, only shown; absent in JSON means true. */
  Boolean dryRun();
}
