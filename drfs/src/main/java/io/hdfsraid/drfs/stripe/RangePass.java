// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.RowLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The rebuild of a range of one unit by the {@link StripeRebuilder}, directly into the target
 * buffer.
 */
final class RangePass implements RowPipeline.Rows {
  /**
   * The maximum length of a slice of a code with one chunk in a row, of which any part can be read
   * in order: the first slice is decoded while the next is read, and a slice fits into the caches.
   */
  private static final int LONGEST_SLICE = 256 << 10;

  private final LocatedStripe stripe;
  private final List<RowSlice> slices;
  private final HedgedReads inputs;
  private final long offset;
  private final ByteBuffer target;

  /**
   * @param offset position in the unit of the first byte of the target
   */
  RangePass(
      LocatedStripe stripe,
      List<RowSlice> slices,
      HedgedReads inputs,
      long offset,
      ByteBuffer target) {
    this.stripe = stripe;
    this.slices = slices;
    this.inputs = inputs;
    this.offset = offset;
    this.target = target;
  }

  /**
   * Returns slices that together rebuild exactly the range and never read a byte twice. A row of
   * several chunks has up to three slices, because the range may begin and end in the middle of a
   * chunk.
   */
  static List<RowSlice> slices(
      LocatedStripe stripe, int unit, ByteRange range, RebuildRecipe recipe) {
    RowLayout layout = stripe.layout();
    Map<List<Chunk>, RebuildRecipe> parts = new HashMap<>();
    List<RowSlice> slices = new ArrayList<>();
    for (long row = range.from() / layout.rowBytes(); row * layout.rowBytes() < range.to(); row++) {
      long thisRow = row;
      List<ByteRange> wanted =
          IntStream.range(0, layout.subUnits())
              .mapToObj(subUnit -> wanted(stripe, thisRow, subUnit, range))
              .toList();
      SortedSet<Long> cuts = new TreeSet<>();
      wanted.stream()
          .filter(part -> part.length() > 0)
          .forEach(part -> cuts.addAll(cuts(layout, part)));
      long from = cuts.first();
      for (long to : cuts.tailSet(from + 1)) {
        long start = from;
        List<Chunk> chunks =
            IntStream.range(0, wanted.size())
                .filter(subUnit -> wanted.get(subUnit).contains(start))
                .mapToObj(subUnit -> new Chunk(unit, subUnit))
                .toList();
        if (!chunks.isEmpty()) {
          slices.add(
              new RowSlice(
                  row, (int) from, (int) to, chunks, parts.computeIfAbsent(chunks, recipe::only)));
        }
        from = to;
      }
    }
    return slices;
  }

  private static List<Long> cuts(RowLayout layout, ByteRange part) {
    long step = layout.subUnits() == 1 ? LONGEST_SLICE : part.length();
    return LongStream.iterate(part.from(), cut -> cut < part.to(), cut -> cut + step)
        .collect(() -> new ArrayList<>(List.of(part.to())), List::add, List::addAll);
  }

  /** Returns the part of a chunk that belongs to the range, relative to the chunk's first byte. */
  private static ByteRange wanted(LocatedStripe stripe, long row, int subUnit, ByteRange range) {
    long start = stripe.layout().offset(row, subUnit, stripe.stripeLength());
    long length = stripe.layout().chunkLength(row, stripe.stripeLength());
    long from = Math.min(length, Math.max(0, range.from() - start));
    long to = Math.max(from, Math.min(length, range.to() - start));
    return new ByteRange(from, to);
  }

  @Override
  public int count() {
    return slices.size();
  }

  @Override
  public RowPipeline.PendingRead read(TaskGroup tasks, int index) throws IOException {
    return inputs.read(tasks, index);
  }

  @Override
  public void code(int index) {
    RowSlice slice = slices.get(index);
    ByteBuffer[] outputs =
        slice.wanted().stream()
            .map(
                chunk ->
                    stripe.layout().offset(slice.row(), chunk.subUnit(), stripe.stripeLength())
                        + slice.from()
                        - offset)
            .map(at -> target.slice(target.position() + at.intValue(), slice.length()))
            .toArray(ByteBuffer[]::new);
    inputs.rebuild(index, outputs);
  }

  @Override
  public List<TaskGroup.Task> writes(int index) {
    return List.of();
  }
}
