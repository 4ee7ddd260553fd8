package io.hdfsraid.offline.demo;

import java.io.InputStream;
import java.util.Objects;
import java.util.SplittableRandom;

/** So many bytes that look random and are the same for the same seed. */
final class RandomBytes extends InputStream {
  private final SplittableRandom random;
  private long left;

  RandomBytes(long seed, long length) {
    this.random = new SplittableRandom(seed);
    this.left = length;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (left == 0) {
      return -1;
    }
    int count = (int) Math.min(left, length);
    for (int i = 0; i < count; ) {
      long bits = random.nextLong();
      for (int end = Math.min(count, i + Long.BYTES); i < end; i++, bits >>>= Byte.SIZE) {
        target[offset + i] = (byte) bits;
      }
    }
    left -= count;
    return count;
  }
}
