// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import io.hdfsraid.recency.namespace.Access;
import java.util.List;
import java.util.Map;

/** Receives the reads that audit logs report. Called by one thread at a time. */
@FunctionalInterface
public interface ReadListener {
  /**
   * Receives a batch of reads, after the index has taken them in.
   *
   * @param reads of each file, by inode id, in the order of the log
   */
  void read(Map<Long, List<Access>> reads);
}
