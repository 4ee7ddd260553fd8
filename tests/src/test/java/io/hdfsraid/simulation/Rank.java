// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.simulation;

import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which units follow from which others, by arithmetic of its own: it asks the product for nothing
 * but the parity of unit vectors, and eliminates over GF(2^8) by itself.
 */
final class Rank {
  private static final int POLYNOMIAL = 0x11D;
  private static final int[] EXP = new int[510];
  private static final int[] LOG = new int[256];

  static {
    int power = 1;
    for (int i = 0; i < 255; i++) {
      EXP[i] = power;
      EXP[i + 255] = power;
      LOG[power] = i;
      power <<= 1;
      power = power > 255 ? power ^ POLYNOMIAL : power;
    }
  }

  private final int chunks;
  private final int columns;
  private final int units;

  /** Row u·α + j: how chunk j of unit u follows from the k·α chunks of data. */
  private final int[][] generator;

  private final Map<UnitSet, UnitSet> known = new HashMap<>();

  Rank(String codecName) {
    ErasureCodec codec = Codecs.parse(codecName);
    int k = codec.shape().dataUnits();
    int m = codec.shape().parityUnits();
    units = k + m;
    chunks = codec.subUnits();
    columns = k * chunks;
    generator = new int[units * chunks][columns];
    for (int column = 0; column < columns; column++) {
      generator[column][column] = 1;
      ByteBuffer[] data = buffers(k);
      ByteBuffer[] parity = buffers(m);
      data[column / chunks].put(column % chunks, (byte) 1);
      codec.encode(data, parity);
      for (int row = 0; row < m * chunks; row++) {
        generator[columns + row][column] = parity[row / chunks].get(row % chunks) & 0xFF;
      }
    }
  }

  private ByteBuffer[] buffers(int count) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    Arrays.setAll(buffers, i -> ByteBuffer.allocate(chunks));
    return buffers;
  }

  /** All units that the given ones determine, these included. */
  UnitSet determinedBy(UnitSet sound) {
    return known.computeIfAbsent(sound, this::closure);
  }

  private UnitSet closure(UnitSet sound) {
    List<int[]> basis = new ArrayList<>();
    for (int unit : sound.toArray()) {
      for (int chunk = 0; chunk < chunks; chunk++) {
        int[] rest = reduced(generator[unit * chunks + chunk], basis);
        if (pivot(rest) >= 0) {
          basis.add(rest);
        }
      }
    }
    UnitSet determined = sound;
    for (int unit = 0; unit < units; unit++) {
      boolean all = true;
      for (int chunk = 0; chunk < chunks; chunk++) {
        all &= pivot(reduced(generator[unit * chunks + chunk], basis)) < 0;
      }
      determined = all ? determined.with(unit) : determined;
    }
    return determined;
  }

  private static int[] reduced(int[] row, List<int[]> basis) {
    int[] rest = row.clone();
    for (int[] each : basis) {
      int at = pivot(each);
      if (rest[at] != 0) {
        int factor = times(rest[at], EXP[255 - LOG[each[at]]]);
        for (int i = 0; i < rest.length; i++) {
          rest[i] ^= times(factor, each[i]);
        }
      }
    }
    return rest;
  }

  private static int pivot(int[] row) {
    for (int i = 0; i < row.length; i++) {
      if (row[i] != 0) {
        return i;
      }
    }
    return -1;
  }

  private static int times(int a, int b) {
    return a == 0 || b == 0 ? 0 : EXP[LOG[a] + LOG[b]];
  }
}
