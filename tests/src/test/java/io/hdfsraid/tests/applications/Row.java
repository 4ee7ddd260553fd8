// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.applications;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;

/** A row of a table with columns of three types. */
record Row(long id, String text, double amount) {
  private static final int BYTES_OF_TEXT = 24;

  /** Returns rows that hardly compress. */
  static List<Row> random(int count) {
    Random random = new Random(2031);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] bytes = new byte[BYTES_OF_TEXT];
      random.nextBytes(bytes);
      rows.add(new Row(random.nextLong(), HexFormat.of().formatHex(bytes), random.nextGaussian()));
    }
    return rows;
  }
}
