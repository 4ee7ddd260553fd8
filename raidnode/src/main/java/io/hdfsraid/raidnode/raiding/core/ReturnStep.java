// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

/** The steps of putting quarantined parity back into service, in order. */
public enum ReturnStep {
  /** The parity is in its place again, still saying that it is being retired. */
  REPLACED,
  /** The parity is marked as in service again. Left out if it is to be retired again. */
  REINSTATED
}
