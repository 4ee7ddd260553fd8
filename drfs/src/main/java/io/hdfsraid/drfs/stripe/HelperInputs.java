package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the slices of one stripe read, from every helper at once. Absent units, and what lies beyond
 * the end of a unit, are zeros and not read.
 */
final class HelperInputs implements Closeable {
  private final LocatedStripe stripe;
  private final List<RowSlice> slices;
  private final Map<Integer, UnitInput> inputs = new TreeMap<>();
  private final RowBuffers buffers;

  HelperInputs(
      DataNodes dataNodes,
      ReplicaPreference preference,
      LocatedStripe stripe,
      List<RowSlice> slices) {
    this.stripe = stripe;
    this.slices = slices;
    Map<Integer, List<ByteRange>> ranges = new TreeMap<>();
    for (RowSlice slice : slices) {
      UnitSet unreadable = slice.recipe().helpers().minus(stripe.available());
      if (!unreadable.isEmpty()) {
        throw new IllegalArgumentException(
            "The recipe reads units %s of %s, but only %s can be read"
                .formatted(unreadable, stripe, stripe.available()));
      }
      for (Chunk chunk : slice.recipe().reads()) {
        add(ranges.computeIfAbsent(chunk.unit(), unit -> new ArrayList<>()), slice, chunk);
      }
    }
    ranges.forEach(
        (unit, wanted) -> {
          if (!wanted.isEmpty()) {
            LocatedBlock block = stripe.unit(unit).located().orElseThrow();
            inputs.put(
                unit, new UnitInput(dataNodes, unit, block, preference.order(block), wanted));
          }
        });
    this.buffers =
        new RowBuffers(
            Math.min(RowPipeline.SLOTS, slices.size()),
            slices.stream().mapToInt(slice -> slice.recipe().reads().size()).max().orElse(0),
            slices.stream().mapToInt(RowSlice::length).max().orElse(0));
  }

  /** Adds what the slice reads of the chunk, joined to the last range where they touch. */
  private void add(List<ByteRange> ranges, RowSlice slice, Chunk chunk) {
    long from = offset(slice, chunk);
    long to = Math.min(from + slice.length(), stripe.unit(chunk.unit()).length());
    if (from >= to) {
      return;
    }
    int last = ranges.size() - 1;
    if (last >= 0 && ranges.get(last).to() == from) {
      ranges.set(last, new ByteRange(ranges.get(last).from(), to));
    } else {
      ranges.add(new ByteRange(from, to));
    }
  }

  private long offset(RowSlice slice, Chunk chunk) {
    return stripe.layout().offset(slice.row(), chunk.subUnit(), stripe.stripeLength())
        + slice.from();
  }

  /** One task for each helper of the slice. */
  List<TaskGroup.Task> reads(int index) {
    RowSlice slice = slices.get(index);
    List<Chunk> chunks = slice.recipe().reads();
    ByteBuffer[] into = buffers(index);
    return slice.recipe().helpers().stream()
        .<TaskGroup.Task>mapToObj(
            unit ->
                () -> {
                  for (int i = 0; i < into.length; i++) {
                    if (chunks.get(i).unit() == unit) {
                      read(unit, offset(slice, chunks.get(i)), into[i]);
                    }
                  }
                })
        .toList();
  }

  private void read(int unit, long offset, ByteBuffer into) throws IOException {
    UnitInput input = inputs.get(unit);
    if (input == null) {
      zero(into);
      return;
    }
    try {
      int unused = input.read(offset, into);
    } catch (UnitUnreadableException e) {
      throw new HelperLostException(stripe, unit, e);
    }
  }

  private static void zero(ByteBuffer into) {
    while (into.remaining() >= Long.BYTES) {
      into.putLong(0);
    }
    while (into.hasRemaining()) {
      into.put((byte) 0);
    }
  }

  /** The inputs of the slice's recipe, in order. */
  ByteBuffer[] buffers(int index) {
    RowSlice slice = slices.get(index);
    ByteBuffer[] views = new ByteBuffer[slice.recipe().reads().size()];
    for (int i = 0; i < views.length; i++) {
      views[i] = buffers.get(index, i, slice.length());
    }
    return views;
  }

  /** Bytes of all its buffers. */
  long memory() {
    return buffers.memory();
  }

  /** Bytes the slice takes from DataNodes. */
  long bytes(int index) {
    RowSlice slice = slices.get(index);
    return slice.recipe().reads().stream()
        .mapToLong(
            chunk ->
                Math.max(
                    0,
                    Math.min(
                        slice.length(), stripe.unit(chunk.unit()).length() - offset(slice, chunk))))
        .sum();
  }

  HelperReads result() {
    Map<DataNode, Long> bytesFrom = new HashMap<>();
    inputs
        .values()
        .forEach(
            input ->
                input
                    .bytesFrom()
                    .forEach((node, bytes) -> bytesFrom.merge(node, bytes, Long::sum)));
    return new HelperReads(
        inputs.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().bytesRead())),
        bytesFrom,
        inputs.values().stream().flatMap(input -> input.failed().stream()).toList());
  }

  @Override
  public void close() {
    inputs.values().forEach(UnitInput::close);
  }
}
