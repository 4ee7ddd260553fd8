// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.source;

import java.io.IOException;

/** Opens a file of our own. An audit log that is complete must contain this read. */
@FunctionalInterface
public interface ProbeRead {
  /**
   * Opens the file and waits for the answer of the active NameNode.
   *
   * @throws IOException if the NameNode does not answer or the file does not exist
   */
  void open() throws IOException;
}
