// SPDX-License-Identifier: Apache-2.0
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
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The inputs that the slices of one stripe read from all helpers in parallel. Absent units, and the
 * range beyond the end of a unit, are zeros and are not read.
 */
final class HelperInputs implements Closeable {
  private final DataNodes dataNodes;
  private final LocatedStripe stripe;
  private final List<RowSlice> slices;

  /** The first slice that these inputs serve. */
  private final int first;

  /** The chunks of the first slice that have already been read. */
  private final Set<Chunk> had;

  private final Map<Integer, UnitInput> inputs = new TreeMap<>();
  private final RowBuffers buffers;
  private final long ownBuffers;

  /** Units whose chunks for the current slice have been read completely. */
  private final Set<Integer> done = ConcurrentHashMap.newKeySet();

  HelperInputs(
      DataNodes dataNodes,
      ReplicaPreference preference,
      LocatedStripe stripe,
      List<RowSlice> slices) {
    this.dataNodes = dataNodes;
    this.stripe = stripe;
    this.slices = slices;
    this.first = 0;
    this.had = Set.of();
    ranges(0)
        .forEach((unit, wanted) -> inputs.put(unit, input(dataNodes, preference, unit, wanted)));
    this.buffers =
        new RowBuffers(
            Math.min(RowPipeline.SLOTS, slices.size()),
            mostReads(slices),
            slices.stream().mapToInt(RowSlice::length).max().orElse(0));
    this.ownBuffers = buffers.memory();
  }

  /**
   * Creates the inputs of an alternative recipe from one slice on, which replace {@code before}.
   * Chunks of that slice that have been read are not read again, and inputs that fit are reused.
   */
  private HelperInputs(
      HelperInputs before, int first, List<RowSlice> slices, ReplicaPreference preference) {
    this.dataNodes = before.dataNodes;
    this.stripe = before.stripe;
    this.slices = slices;
    this.first = first;
    Set<Integer> there = Set.copyOf(before.done); // grows concurrently
    List<Chunk> theirs = before.slices.get(first).recipe().reads();
    List<Chunk> ours = slices.get(first).recipe().reads();
    this.had =
        theirs.stream()
            .filter(chunk -> there.contains(chunk.unit()))
            .collect(Collectors.toUnmodifiableSet());
    Map<Integer, List<ByteRange>> left = before.ranges(first);
    ranges(first)
        .forEach(
            (unit, wanted) ->
                inputs.put(
                    unit,
                    there.contains(unit) && wanted.equals(left.get(unit))
                        ? before.inputs.get(unit)
                        : input(dataNodes, preference, unit, wanted)));
    int[] from = new int[mostReads(slices.subList(first, slices.size()))];
    Arrays.fill(from, -1);
    for (int i = 0; i < ours.size(); i++) {
      from[i] = had.contains(ours.get(i)) ? theirs.indexOf(ours.get(i)) : -1;
    }
    this.buffers = new RowBuffers(before.buffers, from);
    this.ownBuffers =
        from.length == 0
            ? 0
            : buffers.memory() / from.length * Arrays.stream(from).filter(i -> i < 0).count();
  }

  /**
   * Returns the inputs of an alternative recipe, beginning with the slice whose reads are in
   * flight.
   *
   * @param others slices of the alternative recipe, which cover the same parts of the stripe
   * @param preference the order of replicas for inputs that are not reused
   */
  HelperInputs instead(int index, List<RowSlice> others, ReplicaPreference preference) {
    return new HelperInputs(this, index, others, preference);
  }

  private static int mostReads(List<RowSlice> slices) {
    return slices.stream().mapToInt(slice -> slice.recipe().reads().size()).max().orElse(0);
  }

  private UnitInput input(
      DataNodes dataNodes, ReplicaPreference preference, int unit, List<ByteRange> wanted) {
    LocatedBlock block = stripe.unit(unit).located().orElseThrow();
    return new UnitInput(dataNodes, unit, block, preference.order(block), wanted);
  }

  /**
   * Returns the ranges read from each unit, beginning with a slice. Units that are not read are not
   * included.
   */
  private Map<Integer, List<ByteRange>> ranges(int from) {
    Map<Integer, List<ByteRange>> ranges = new TreeMap<>();
    for (int index = from; index < slices.size(); index++) {
      RowSlice slice = slices.get(index);
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
    ranges.values().removeIf(List::isEmpty);
    return ranges;
  }

  /**
   * Adds the range that the slice reads from the chunk, and merges it with the last range if they
   * touch.
   */
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

  /** Returns one read task for each helper of the slice. */
  List<TaskGroup.Task> reads(int index) {
    RowSlice slice = slices.get(index);
    List<Chunk> chunks = slice.recipe().reads();
    ByteBuffer[] into = buffers(index);
    done.clear();
    return slice.recipe().helpers().stream()
        .<TaskGroup.Task>mapToObj(
            unit ->
                () -> {
                  for (int i = 0; i < into.length; i++) {
                    if (chunks.get(i).unit() == unit && !has(index, chunks.get(i))) {
                      read(unit, offset(slice, chunks.get(i)), into[i]);
                    }
                  }
                  done.add(unit);
                })
        .toList();
  }

  private boolean has(int index, Chunk chunk) {
    return index == first && had.contains(chunk);
  }

  /** Returns the helpers of the current slice that have not been read completely. */
  UnitSet pending(int index) {
    return UnitSet.of(
        slices.get(index).recipe().helpers().stream().filter(unit -> !done.contains(unit)));
  }

  /** Returns the node from which a unit is being read. */
  Optional<DataNode> node(int unit) {
    return Optional.ofNullable(inputs.get(unit))
        .filter(UnitInput::hasReplicas)
        .map(input -> input.current().node());
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
      throw new HelperLostException(stripe, UnitSet.of(unit), e);
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

  RowSlice slice(int index) {
    return slices.get(index);
  }

  /** Returns the inputs of the slice's recipe, in order. */
  ByteBuffer[] buffers(int index) {
    RowSlice slice = slices.get(index);
    ByteBuffer[] views = new ByteBuffer[slice.recipe().reads().size()];
    for (int i = 0; i < views.length; i++) {
      views[i] = buffers.get(index, i, slice.length());
    }
    return views;
  }

  /** Returns the bytes of its own buffers, without those taken over from earlier inputs. */
  long memory() {
    return ownBuffers;
  }

  /** Returns the bytes that the slice reads from DataNodes. */
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

  Collection<UnitInput> inputs() {
    return inputs.values();
  }

  /** Closes the inputs that the other instance does not reuse. */
  void closeBut(HelperInputs others) {
    inputs.values().stream()
        .filter(input -> others.inputs.get(input.unit()) != input)
        .forEach(UnitInput::close);
  }

  @Override
  public void close() {
    inputs.values().forEach(UnitInput::close);
  }
}
