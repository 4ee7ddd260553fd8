// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.codec;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;

/** The operations that are measured for each codec. */
enum CodecOperation {
  /** All parity units. */
  ENCODE("encode"),
  /** The first data unit from what is cheapest to read. */
  DECODE_ONE("decode1"),
  /**
   * Rebuilds as many units as there are parity units, or as the code is certain to tolerate losing.
   */
  DECODE_MOST("decodem");

  private final String word;

  CodecOperation(String word) {
    this.word = word;
  }

  /** As rows are named. */
  String word() {
    return word;
  }

  /** The units that are lost; none for encoding. */
  UnitSet lost(ErasureCodec codec) {
    return switch (this) {
      case ENCODE -> UnitSet.none();
      case DECODE_ONE -> UnitSet.of(0);
      case DECODE_MOST -> most(codec);
    };
  }

  private static UnitSet most(ErasureCodec codec) {
    UnitSet all = UnitSet.range(0, codec.shape().parityUnits());
    return codec.furtherLosses(all) >= 0
        ? all
        : UnitSet.range(0, codec.furtherLosses(UnitSet.none()));
  }
}
