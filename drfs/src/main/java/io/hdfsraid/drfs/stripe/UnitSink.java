// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A consumer of the bytes of one unit, in order. Used by one thread at a time. */
@FunctionalInterface
public interface UnitSink {
  /** Takes the bytes from position to limit. The caller reuses the buffer afterwards. */
  void accept(ByteBuffer bytes) throws IOException;
}
