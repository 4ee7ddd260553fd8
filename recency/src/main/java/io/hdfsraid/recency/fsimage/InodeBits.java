// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import io.hdfsraid.recency.namespace.Inode;

/**
 * Two bounded bit sets: inode ids that occurred as inodes, and as children. If the ids are spread
 * too widely, several share a bit; a missing inode may then go unnoticed, but an existing one is
 * never reported as missing.
 */
final class InodeBits {
  /** The size of each set: 32 MiB. */
  private static final long MOST_BITS = 1L << 28;

  /** With so many bits for an inode, one missing inode in 64 goes unnoticed. */
  private static final int BITS_OF_INODE = 64;

  private final long[] inodes;
  private final long[] children;
  private final long last;
  private final long mask;
  private final boolean exact;

  /**
   * Creates empty sets.
   *
   * @param last the highest inode id
   * @param count the number of inodes
   */
  InodeBits(long last, long count) {
    this(last, count, MOST_BITS);
  }

  InodeBits(long last, long count, long mostBits) {
    this.last = last;
    long range = last - Inode.ROOT + 1;
    long bits = Math.min(mostBits, Math.max(Long.SIZE, powerOfTwo(count * BITS_OF_INODE)));
    exact = range <= bits;
    mask = bits - 1;
    inodes = new long[(int) (bits / Long.SIZE)];
    children = exact ? new long[inodes.length] : new long[0];
  }

  private static long powerOfTwo(long least) {
    return Long.highestOneBit(Math.max(1, least - 1)) << 1;
  }

  /** Whether it is new, as far as can be known. */
  boolean addInode(long inode) {
    return add(inodes, inode) || !exact;
  }

  /** Whether it is new, as far as can be known. */
  boolean addChild(long inode) {
    return !exact || add(children, inode);
  }

  private boolean add(long[] bits, long inode) {
    long bit = bit(inode);
    int word = (int) (bit / Long.SIZE);
    long one = 1L << bit; // modulo 64
    boolean isNew = (bits[word] & one) == 0;
    bits[word] |= one;
    return isNew;
  }

  boolean hasInode(long inode) {
    if (inode < Inode.ROOT || inode > last) {
      return false;
    }
    long bit = bit(inode);
    return (inodes[(int) (bit / Long.SIZE)] & 1L << bit) != 0;
  }

  private long bit(long inode) {
    return inode - Inode.ROOT & mask;
  }
}
