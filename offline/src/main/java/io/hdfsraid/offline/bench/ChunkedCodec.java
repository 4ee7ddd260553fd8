package io.hdfsraid.offline.bench;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RowLayout;

/**
 * The same code in rows of longer or shorter chunks. What it writes can be read by everybody, for
 * the length is recorded with each parity file.
 */
final class ChunkedCodec extends SubstituteCodec {
  private final RowLayout layout;

  /**
   * @param chunk c in bytes
   */
  ChunkedCodec(ErasureCodec same, int chunk) {
    super(same);
    this.layout = new RowLayout(same.subUnits(), chunk);
  }

  @Override
  public RowLayout layout() {
    return layout;
  }
}
