// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

import java.util.random.RandomGenerator;

/**
 * The id of a group of small files that share parity.
 *
 * <p>Parity is found by one number: the inode id of the file that it protects, or the id of a
 * group. Group ids differ from all inode ids: bit 62 is set, whereas HDFS assigns inode ids from
 * 16,385 on, one by one. Below bit 62 an id has a random family of 46 bits and a generation of 16
 * bits. When a group is encoded again without a member, the new parity belongs to the next
 * generation. So one look-up tells whether a group has a successor.
 */
public record GroupId(long value) {
  private static final int GENERATION_BITS = 16;
  private static final int FAMILY_BITS = 46;
  private static final long GROUP_BIT = 1L << (GENERATION_BITS + FAMILY_BITS);
  private static final long LAST_GENERATION = (1L << GENERATION_BITS) - 1;

  public GroupId {
    if (!isGroup(value)) {
      throw new IllegalArgumentException(
          "%d is the number of an inode, not that of a group".formatted(value));
    }
  }

  /** Whether parity with this number protects a group. Otherwise it protects one file. */
  public static boolean isGroup(long number) {
    return number >= GROUP_BIT;
  }

  /** Returns the first generation of a new family. */
  public static GroupId fresh(RandomGenerator random) {
    return new GroupId(GROUP_BIT | random.nextLong(1L << FAMILY_BITS) << GENERATION_BITS);
  }

  /**
   * Returns the next generation of this family. After 65,535 generations the number wraps around;
   * the parity of the first generation has long been purged by then.
   */
  public GroupId successor() {
    long generation = (value & LAST_GENERATION) == LAST_GENERATION ? -LAST_GENERATION : 1;
    return new GroupId(value + generation);
  }

  /** Returns the generation before this one. */
  public GroupId predecessor() {
    long generation = (value & LAST_GENERATION) == 0 ? LAST_GENERATION : -1;
    return new GroupId(value + generation);
  }

  /**
   * Whether this is a later generation of the same family. Generations form a ring; the shorter way
   * round decides.
   */
  public boolean isAfter(GroupId other) {
    long ahead = (value - other.value) & LAST_GENERATION;
    return family() == other.family() && ahead > 0 && ahead <= LAST_GENERATION / 2;
  }

  /**
   * Returns the family: equal for all generations of a family, and evenly distributed over
   * families.
   */
  public long family() {
    return (value & ~GROUP_BIT) >>> GENERATION_BITS;
  }

  @Override
  public String toString() {
    return "group " + value;
  }
}
