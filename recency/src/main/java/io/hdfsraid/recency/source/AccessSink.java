// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.source;

import io.hdfsraid.recency.namespace.Watermark;
import java.io.IOException;
import java.util.Optional;

/** Receives accesses to files. */
public interface AccessSink {
  /** Returns the position up to which a source was taken in; empty if it never was. */
  Optional<Watermark> watermark(String source);

  /**
   * Counts accesses and moves the watermark, or does neither.
   *
   * @return how many concerned a path at which the index knows no file
   */
  long accessed(AccessBatch accesses, Watermark watermark) throws IOException;
}
