package io.hdfsraid.raidnode.fsimage;

import io.hdfsraid.raidnode.namespace.Inode;

/**
 * Which numbers have been told as inodes, and as children: in bits, a bounded number of them. Where
 * the numbers are spread over more, several share a bit, and what is missing may go unnoticed; what
 * is there is never taken for missing.
 */
final class KnownInodes {
  /** Of each: 32 MiB. */
  private static final long MOST_BITS = 1L << 28;

  /** So many for an inode leave a missing one unnoticed in one case of 64. */
  private static final int BITS_OF_INODE = 64;

  private final long[] inodes;
  private final long[] children;
  private final long last;
  private final long mask;
  private final boolean exact;

  /**
   * Of none so far.
   *
   * @param last the highest number there is
   * @param count how many inodes there are
   */
  KnownInodes(long last, long count) {
    this(last, count, MOST_BITS);
  }

  KnownInodes(long last, long count, long mostBits) {
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
