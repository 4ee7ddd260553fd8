package io.hdfsraid.raidnode.raiding.core;

/** The steps of putting quarantined parity back into service, in order. */
public enum ReturnStep {
  /** The parity is in its place again, still saying that it is being retired. */
  REPLACED,
  /** It says what it is in service for; left out where that is to be retired again. */
  REINSTATED
}
