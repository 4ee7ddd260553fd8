// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RowLayout;

/**
 * A codec with rows of longer or shorter chunks. Every reader can read its parity, because the
 * parity file records the length of the chunks.
 */
public final class ChunkedCodec extends SubstituteCodec {
  private final RowLayout layout;

  /**
   * @param chunk c in bytes
   */
  public ChunkedCodec(ErasureCodec same, int chunk) {
    super(same);
    this.layout = new RowLayout(same.subUnits(), chunk);
  }

  @Override
  public RowLayout layout() {
    return layout;
  }
}
