package io.hdfsraid.drfs.stripe;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Takes the bytes of one unit in order. Used by one thread at a time. */
@FunctionalInterface
public interface UnitSink {
  /** Takes the buffer from position to limit; the buffer is reused by the caller afterwards. */
  void accept(ByteBuffer bytes) throws IOException;
}
