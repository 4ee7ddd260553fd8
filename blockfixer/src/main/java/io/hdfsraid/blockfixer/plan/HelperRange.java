// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.plan;

import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.RowLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What a repair asks one helper for at once: bytes {@code from} (inclusive) to {@code to}
 * (exclusive) of its block.
 */
public record HelperRange(long from, long to) {
  private static final int BYTES_PER_CHECKSUM = 512;
  private static final int BYTES_OF_CHECKSUM = 4;

  /** All of a helper, in order; chunks that touch are one range. */
  public static List<HelperRange> of(LocatedStripe stripe, int helper, RebuildRecipe recipe) {
    RowLayout layout = stripe.layout();
    Deque<HelperRange> ranges = new ArrayDeque<>();
    for (long row = 0; row < layout.rows(stripe.stripeLength()); row++) {
      for (Chunk chunk : recipe.reads()) {
        long from = layout.offset(row, chunk.subUnit(), stripe.stripeLength());
        long end = from + layout.chunkLength(row, stripe.stripeLength());
        long to = Math.min(end, stripe.unit(helper).length());
        if (chunk.unit() == helper && from < to) {
          boolean touches = !ranges.isEmpty() && ranges.getLast().to() == from;
          ranges.addLast(new HelperRange(touches ? ranges.removeLast().from() : from, to));
        }
      }
    }
    return List.copyOf(ranges);
  }

  public long length() {
    return to - from;
  }

  /** Bytes that a DataNode sends for it: whole chunks of 512 bytes, each with its checksum. */
  public long sent(long blockLength) {
    long start = from - from % BYTES_PER_CHECKSUM;
    long chunks = (to - start + BYTES_PER_CHECKSUM - 1) / BYTES_PER_CHECKSUM;
    long end = Math.min(blockLength, start + chunks * BYTES_PER_CHECKSUM);
    return end - start + chunks * BYTES_OF_CHECKSUM;
  }
}
