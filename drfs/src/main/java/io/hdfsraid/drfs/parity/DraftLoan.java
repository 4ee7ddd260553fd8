// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

import io.hdfsraid.drfs.block.DataNode;
import java.io.Closeable;
import java.io.IOException;

/**
 * A directory of this product that another user of the cluster owns for a while, to write into it.
 * Nobody but that user and the daemon can enter it.
 */
public interface DraftLoan extends Closeable {

  /** Returns the path of the directory. */
  String directory();

  /**
   * Returns the address, {@code ip:port}, under which a writer requests a node as the favored one.
   */
  String address(DataNode node) throws IOException;

  /** Ends the loan: what the user writes from now on is refused. Does nothing the second time. */
  @Override
  void close() throws IOException;
}
