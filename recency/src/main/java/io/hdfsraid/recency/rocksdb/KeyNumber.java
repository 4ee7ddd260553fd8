// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.rocksdb;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers in keys: eight bytes each, whose unsigned order as bytes is the order of the numbers. */
public final class KeyNumber {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private KeyNumber() {}

  /** Returns a key that consists of these numbers. */
  public static byte[] key(long... values) {
    byte[] key = new byte[Long.BYTES * values.length];
    for (int i = 0; i < values.length; i++) {
      put(values[i], key, Long.BYTES * i);
    }
    return key;
  }

  /** Returns the n-th number of a key that consists of numbers; the first is 0. */
  public static long nth(byte[] key, int n) {
    return at(key, Long.BYTES * n);
  }

  /** Writes a number into a key. */
  public static void put(long value, byte[] key, int offset) {
    LONG.set(key, offset, value ^ Long.MIN_VALUE);
  }

  /** Returns the number that begins at an offset of a key. */
  public static long at(byte[] key, int offset) {
    return (long) LONG.get(key, offset) ^ Long.MIN_VALUE;
  }
}
