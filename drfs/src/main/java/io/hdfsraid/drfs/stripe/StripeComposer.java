// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import java.util.List;
import java.util.stream.IntStream;

/** Assigns the blocks of one file to stripes, in file order. */
public final class StripeComposer {
  private StripeComposer() {}

  /**
   * Cuts blocks 0 to n-1, in file order, into ⌈n/k⌉ stripes whose sizes differ by at most one. So
   * no short last stripe pays for full parity.
   *
   * @return for each stripe the indexes of its blocks; empty for a file without blocks
   */
  public static List<List<Integer>> compose(int blocks, int dataUnits) {
    if (blocks < 0 || dataUnits < 1) {
      throw new IllegalArgumentException(
          "Stripes are composed of 0 or more blocks in units of 1 or more, but got %d blocks in units of %d"
              .formatted(blocks, dataUnits));
    }
    int stripes = blocks / dataUnits + (blocks % dataUnits == 0 ? 0 : 1);
    return IntStream.range(0, stripes)
        .mapToObj(
            stripe ->
                IntStream.range(start(stripe, stripes, blocks), start(stripe + 1, stripes, blocks))
                    .boxed()
                    .toList())
        .toList();
  }

  private static int start(int stripe, int stripes, int blocks) {
    return (int) ((long) stripe * blocks / stripes);
  }
}
