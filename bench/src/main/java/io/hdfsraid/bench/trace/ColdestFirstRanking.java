// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

/**
 * Orders files in a heap by their {@link Temperature}. A file that has become warmer keeps its
 * place until it is at the top, so a use of a hot file costs next to nothing.
 */
final class ColdestFirstRanking implements Ranking {
  private final Temperature temperature;
  private final int[] heap;
  private final int[] place;

  /** The temperature under which a file is in the heap; never above that of now. */
  private final double[] filed;

  private int size;

  ColdestFirstRanking(Temperature temperature, int most) {
    this.temperature = temperature;
    this.heap = new int[most];
    this.place = new int[most];
    this.filed = new double[most];
  }

  @Override
  public void add(int file) {
    filed[file] = temperature.of(file);
    up(size++, file);
  }

  @Override
  public void used(int file) {
    double now = temperature.of(file);
    if (now < filed[file]) {
      filed[file] = now;
      up(place[file], file);
    }
  }

  @Override
  public int removeColdest() {
    while (true) {
      int file = heap[0];
      double now = temperature.of(file);
      if (now == filed[file]) {
        int last = heap[--size];
        if (size > 0) {
          down(0, last);
        }
        return file;
      }
      filed[file] = now;
      down(0, file);
    }
  }

  private boolean isColder(int one, int other) {
    return filed[one] < filed[other] || (filed[one] == filed[other] && one < other);
  }

  private void up(int from, int file) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) / 2;
      if (!isColder(file, heap[parent])) {
        break;
      }
      put(at, heap[parent]);
      at = parent;
    }
    put(at, file);
  }

  private void down(int from, int file) {
    int at = from;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size && isColder(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isColder(heap[child], file)) {
        break;
      }
      put(at, heap[child]);
      at = child;
    }
    put(at, file);
  }

  private void put(int at, int file) {
    heap[at] = file;
    place[file] = at;
  }
}
