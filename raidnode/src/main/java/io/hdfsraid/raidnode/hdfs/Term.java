// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

/**
 * The time from when a process gets the owner file until the next process does.
 *
 * @param id a name that no other term has, in any history of the namespace
 * @param epoch that of the owner, which a namespace that was set back counts up again
 * @param beats how many heartbeats the owner had sent; or {@link #UNKNOWN}, or {@link #LOST}
 */
public record Term(String id, long epoch, long beats) {
  /** More than any number: a term with it lacks no heartbeat. */
  public static final long UNKNOWN = Long.MAX_VALUE;

  /** Less than any number: stands in a line which says that heartbeats of the term are missing. */
  static final long LOST = Long.MIN_VALUE;
}
