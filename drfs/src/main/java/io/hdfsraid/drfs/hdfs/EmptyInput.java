// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import java.io.EOFException;
import java.nio.ByteBuffer;

/** The input of an empty range, which needs no DataNode. */
record EmptyInput(Block block) implements BlockInput {
  @Override
  public void readFully(ByteBuffer target) throws EOFException {
    if (target.hasRemaining()) {
      throw new EOFException(
          "%d bytes wanted from an empty range of %s".formatted(target.remaining(), block));
    }
  }

  @Override
  public void close() {}
}
