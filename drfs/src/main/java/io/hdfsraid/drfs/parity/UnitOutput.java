// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A parity unit that is being written: a one-block file with a favored DataNode. Used by one thread
 * at a time.
 */
public interface UnitOutput extends Closeable {

  /** Writes the buffer from position to limit. */
  void write(ByteBuffer bytes) throws IOException;

  /** Completes the block. When this method returns, the NameNode lists the block as complete. */
  @Override
  void close() throws IOException;
}
