// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import java.io.IOException;
import org.apache.hadoop.hdfs.DFSClient;

/** Gives the client for one change, which is sent right after the fence was checked. */
@FunctionalInterface
interface Writer {
  /**
   * Checks the fence.
   *
   * @throws IOException if this process must not change anything
   */
  DFSClient get() throws IOException;
}
