package io.hdfsraid.offline.demo;

import io.hdfsraid.blockfixer.plan.LengthCost;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit.Standing;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What the codec's recipe for just the units that a stripe loses reads, over the lengths that the
 * units of the stripe really have. Made before anything is broken.
 *
 * @param stripe when it was whole
 * @param bytesRebuilt length of the lost units
 * @param bytesRead from all helpers
 * @param bytesSent by their DataNodes for that: whole chunks of 512 bytes, each with 4 bytes of
 *     checksum
 */
record Promise(
    String path,
    LocatedStripe stripe,
    UnitSet lost,
    long bytesRebuilt,
    long bytesRead,
    long bytesSent) {
  private static final int BYTES_PER_CHECKSUM = 512;
  private static final int BYTES_OF_CHECKSUM = 4;

  static Promise of(String path, LocatedStripe stripe, UnitSet lost) {
    RebuildRecipe recipe =
        stripe
            .codec()
            .recipe(lost, stripe.available().minus(lost), stripe.cost(new LengthCost(stripe)))
            .orElseThrow();
    long read = 0;
    long sent = 0;
    for (int helper : recipe.helpers().toArray()) {
      long length = stripe.unit(helper).length();
      read += recipe.bytesRead(helper, length, stripe.stripeLength(), stripe.layout());
      for (Range range : ranges(stripe, helper, recipe)) {
        sent += range.sent(length);
      }
    }
    long rebuilt = lost.stream().mapToLong(unit -> stripe.unit(unit).length()).sum();
    return new Promise(path, stripe, lost, rebuilt, read, sent);
  }

  /** Bytes {@code from} (inclusive) to {@code to} (exclusive) of a block. */
  private record Range(long from, long to) {
    long sent(long blockLength) {
      long start = from - from % BYTES_PER_CHECKSUM;
      long chunks = (to - start + BYTES_PER_CHECKSUM - 1) / BYTES_PER_CHECKSUM;
      long end = Math.min(blockLength, start + chunks * BYTES_PER_CHECKSUM);
      return end - start + chunks * BYTES_OF_CHECKSUM;
    }
  }

  /** What is asked for at once: chunks that touch are one range. */
  private static Deque<Range> ranges(LocatedStripe stripe, int helper, RebuildRecipe recipe) {
    RowLayout layout = stripe.layout();
    Deque<Range> ranges = new ArrayDeque<>();
    for (long row = 0; row < layout.rows(stripe.stripeLength()); row++) {
      for (Chunk chunk : recipe.reads()) {
        long from = layout.offset(row, chunk.subUnit(), stripe.stripeLength());
        long end = from + layout.chunkLength(row, stripe.stripeLength());
        long to = Math.min(end, stripe.unit(helper).length());
        if (chunk.unit() == helper && from < to) {
          boolean touches = !ranges.isEmpty() && ranges.getLast().to() == from;
          ranges.addLast(new Range(touches ? ranges.removeLast().from() : from, to));
        }
      }
    }
    return ranges;
  }

  boolean ofFullStripe() {
    return full(stripe);
  }

  /**
   * All data units are there and of one length, as the table of codecs assumes; parity may be some
   * bytes longer, where that length cannot be cut into the chunks of a row.
   */
  static boolean full(LocatedStripe stripe) {
    long length = stripe.unit(0).length();
    return stripe.units().stream()
        .filter(unit -> !stripe.codec().shape().isParity(unit.unit()))
        .allMatch(unit -> unit.standing() != Standing.ABSENT && unit.length() == length);
  }

  /** In units of the stripe. */
  double blocks(long bytes) {
    return (double) bytes / stripe.stripeLength();
  }
}
