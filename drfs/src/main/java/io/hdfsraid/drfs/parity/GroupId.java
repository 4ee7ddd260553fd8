package io.hdfsraid.drfs.parity;

import java.util.random.RandomGenerator;

/**
 * The number of a group: of files that share parity because each alone is too small for it.
 *
 * <p>Parity is found by one number: the inode id of the file it protects, or the number of the
 * group. Groups have numbers that no inode has: bit 62 is set, and HDFS gives out inode ids from
 * 16,385 on, one by one. Below it a random family of 46 bits, and a generation of 16: when a group
 * is encoded again without a member, its parity belongs to the next generation. So whether a group
 * has a successor is one look-up, and no memory is needed for it.
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

  /** Whether parity with this number protects a group; else it is a file's own. */
  public static boolean isGroup(long number) {
    return number >= GROUP_BIT;
  }

  /** The first generation of a new family. */
  public static GroupId fresh(RandomGenerator random) {
    return new GroupId(GROUP_BIT | random.nextLong(1L << FAMILY_BITS) << GENERATION_BITS);
  }

  /**
   * The next generation of this family; after 65,535 of them the first again, whose parity has long
   * been purged.
   */
  public GroupId successor() {
    long generation = (value & LAST_GENERATION) == LAST_GENERATION ? -LAST_GENERATION : 1;
    return new GroupId(value + generation);
  }

  /** The generation before, of which this is the successor. */
  public GroupId predecessor() {
    long generation = (value & LAST_GENERATION) == 0 ? LAST_GENERATION : -1;
    return new GroupId(value + generation);
  }

  /** Whether this is a later generation of the same family, the shorter way round the ring. */
  public boolean isAfter(GroupId other) {
    long ahead = (value - other.value) & LAST_GENERATION;
    return family() == other.family() && ahead > 0 && ahead <= LAST_GENERATION / 2;
  }

  /** Equal for all generations of a family, and evenly spread over families. */
  public long family() {
    return (value & ~GROUP_BIT) >>> GENERATION_BITS;
  }

  @Override
  public String toString() {
    return "group " + value;
  }
}
