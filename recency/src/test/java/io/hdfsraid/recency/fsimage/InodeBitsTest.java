// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.recency.namespace.Inode;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InodeBitsTest {
  private static final int COUNT = 10_000;

  /** Numbers up to this one, of which so many are inodes. */
  private static Set<Long> numbers(long last) {
    Random random = new Random(last);
    Set<Long> numbers = new HashSet<>();
    while (numbers.size() < COUNT) {
      numbers.add(Inode.ROOT + random.nextLong(last - Inode.ROOT + 1));
    }
    return numbers;
  }

  @Test
  void whereNumbersAreDenseEverythingIsKnownExactly() {
    long last = Inode.ROOT + 20L * COUNT;
    InodeBits known = new InodeBits(last, COUNT);
    Set<Long> numbers = numbers(last);
    for (long number : numbers) {
      assertThat(known.addInode(number)).isTrue();
      assertThat(known.addInode(number)).as("%d again", number).isFalse();
      assertThat(known.addChild(number)).isTrue();
      assertThat(known.addChild(number)).as("%d again", number).isFalse();
    }
    for (long number = 0; number < last + COUNT; number++) {
      assertThat(known.hasInode(number)).as("%d", number).isEqualTo(numbers.contains(number));
    }
  }

  @Test
  void whereNumbersAreSparseNoInodeIsTakenForMissingAndFewThatMissAreNot() {
    long last = 1L << 40;
    InodeBits known = new InodeBits(last, COUNT);
    Set<Long> numbers = numbers(last);
    for (long number : numbers) {
      assertThat(known.addInode(number)).isTrue();
      assertThat(known.addChild(number)).isTrue();
    }
    assertThat(numbers).allMatch(known::hasInode);
    Random random = new Random(1);
    int unnoticed = 0;
    for (int i = 0; i < COUNT; i++) {
      unnoticed += known.hasInode(Inode.ROOT + random.nextLong(last - Inode.ROOT)) ? 1 : 0;
    }
    assertThat(unnoticed).as("of %d that are none", COUNT).isLessThan(COUNT / 32);
    assertThat(known.hasInode(last + 1)).isFalse();
    assertThat(known.hasInode(Inode.ROOT - 1)).isFalse();
  }

  @Test
  void aBoundedNumberOfBitsDoesForAnyNumberOfInodes() {
    long bits = 1 << 10;
    InodeBits known = new InodeBits(1L << 50, 1L << 40, bits);
    for (long number = Inode.ROOT; number < Inode.ROOT + 4 * bits; number++) {
      assertThat(known.addInode(number)).isTrue();
      assertThat(known.hasInode(number)).isTrue();
    }
  }
}
