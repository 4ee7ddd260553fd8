// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.block.DataNode;
import java.io.IOException;

/**
 * Requests full block reports, in which a DataNode tells the NameNodes of all its replicas. The
 * NameNode works on a report while others wait, so the caller paces them.
 */
@FunctionalInterface
public interface BlockReports {
  /** Requests none, of clusters without DataNodes of their own. */
  BlockReports NONE = node -> {};

  /**
   * Returns when the DataNode has been told; it reports soon after.
   *
   * @throws IOException if the DataNode is not alive, or refuses
   */
  void request(DataNode node) throws IOException;

  /**
   * Returns which NameNode is active, in words that can be compared. A report that was requested
   * while another one was active is not what this one waits for.
   *
   * @throws IOException if none is
   */
  default String activeNameNode() throws IOException {
    return "";
  }
}
