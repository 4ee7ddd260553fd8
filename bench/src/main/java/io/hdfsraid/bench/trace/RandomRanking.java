// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import java.util.SplittableRandom;

/** Raids the hot files in random order, without any knowledge. */
final class RandomRanking implements Ranking {
  private final int[] files;
  private final SplittableRandom random;
  private int size;

  RandomRanking(int most, long seed) {
    this.files = new int[most];
    this.random = new SplittableRandom(seed);
  }

  @Override
  public void add(int file) {
    files[size++] = file;
  }

  @Override
  public void used(int file) {}

  @Override
  public int removeColdest() {
    int place = random.nextInt(size);
    int file = files[place];
    files[place] = files[--size];
    return file;
  }
}
