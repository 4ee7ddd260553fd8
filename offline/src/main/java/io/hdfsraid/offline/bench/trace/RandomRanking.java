package io.hdfsraid.offline.bench.trace;

import java.util.SplittableRandom;

/** Knows nothing: any of the hot files is raided next. */
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
