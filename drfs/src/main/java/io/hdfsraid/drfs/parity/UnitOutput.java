package io.hdfsraid.drfs.parity;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One parity unit being written: a one-block file with its favoured DataNode. Used by one thread.
 */
public interface UnitOutput extends Closeable {

  /** Writes the buffer from position to limit. */
  void write(ByteBuffer bytes) throws IOException;

  /** Completes the block; when this returns the NameNode knows it as complete. */
  @Override
  void close() throws IOException;
}
