// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

/**
 * The last that was seen of a namespace.
 *
 * @param inode the inode id of the owner file
 * @param id the id of the present {@link Term}
 * @param beats how many heartbeats its owner had sent
 */
public record LastTerm(long inode, String id, long beats) {

  /** Returns the term for people. */
  @Override
  public String toString() {
    return "heartbeat %d of the owner's term %s".formatted(beats, id);
  }
}
