// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.table;

import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A row of a table.
 *
 * @param note that most questions do not need; the longest column
 */
record Sale(long id, String shop, double amount, String note) {
  /** About the bytes of a row as JSON. */
  private static final int BYTES = 180;

  private static final long SEED = 14978;
  private static final int SHOPS = 97;
  private static final int WORDS_OF_NOTE = 6;

  /** Makes the same rows each time, about as many as make this many bytes of JSON. */
  static void rows(long bytes, Consumer<Sale> consumer) {
    SplittableRandom random = new SplittableRandom(SEED);
    for (long id = 0; id < Math.max(1, bytes / BYTES); id++) {
      StringBuilder note = new StringBuilder();
      for (int word = 0; word < WORDS_OF_NOTE; word++) {
        note.append(Long.toHexString(random.nextLong())).append(' ');
      }
      consumer.accept(
          new Sale(
              id,
              "shop-" + random.nextInt(SHOPS),
              random.nextInt(1_000_000) / 100.0,
              note.toString()));
    }
  }
}
