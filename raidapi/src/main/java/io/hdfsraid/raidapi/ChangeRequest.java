// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi;

/** The body of a request that changes something, unless it only asks for a preview. */
public interface ChangeRequest {
  /** Most characters of the reason of a change. */
  int LONGEST_REASON = 500;

  /** Returns whether nothing is to be changed, only shown; absent in JSON means true. */
  Boolean dryRun();
}
