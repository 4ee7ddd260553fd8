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
 * What the slices of one stripe read, from every helper at once. Absent units, and what lies beyond
 * the end of a unit, are zeros and not read.
 */
final class HelperInputs implements Closeable {
  private final DataNodes dataNodes;
  private final LocatedStripe stripe;
  private final List<RowSlice> slices;

  /** The slice these begin with. */
  private final int first;

  /** What of that slice is there already. */
  private final Set<Chunk> had;

  private final Map<Integer, UnitInput> inputs = new TreeMap<>();
  private final RowBuffers buffers;
  private final long ownBuffers;

  /** Units that have given all they are to give for the slice that is being read. */
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
            slices.stream().mapToInt(slice -> slice.recipe().reads().size()).max().orElse(0),
            slices.stream().mapToInt(RowSlice::length).max().orElse(0));
    this.ownBuffers = buffers.memory();
  }

  /**
   * Inputs of another recipe from one slice on, in the place of those of {@code before}: what they
   * have got for that slice is not read again, and inputs that fit are gone on with.
   */
  private HelperInputs(
      HelperInputs before, int first, List<RowSlice> slices, ReplicaPreference preference) {
    this.dataNodes = before.dataNodes;
    this.stripe = before.stripe;
    this.slices = slices;
    this.first = first;
    Set<Integer> there = Set.copyOf(before.done); // grows while it is looked at
    List<Chunk> theirs = before.slices.get(first).recipe().reads();
    List<Chunk> ours = slices.get(first).recipe().reads();
    this.had =
        theirs.stream()
            .filter(chunk -> there.contains(chunk.unit()))
            .collect(Collectors.toUnmodifiableSet());
    ranges(first)
        .forEach(
            (unit, wanted) ->
                inputs.put(
                    unit,
                    there.contains(unit) && of(unit, theirs).equals(of(unit, ours))
                        ? before.inputs.get(unit)
                        : input(dataNodes, preference, unit, wanted)));
    int[] from =
        ours.stream().mapToInt(chunk -> had.contains(chunk) ? theirs.indexOf(chunk) : -1).toArray();
    this.buffers = new RowBuffers(before.buffers, from);
    this.ownBuffers =
        from.length == 0
            ? 0
            : buffers.memory() / from.length * Arrays.stream(from).filter(i -> i < 0).count();
  }

  /**
   * Inputs of another recipe from the slice on whose reads are under way.
   *
   * @param others slices of the other recipe, the same parts of the stripe as these
   * @param preference for inputs that are not gone on with
   */
  HelperInputs instead(int index, List<RowSlice> others, ReplicaPreference preference) {
    return new HelperInputs(this, index, others, preference);
  }

  private static List<Chunk> of(int unit, List<Chunk> chunks) {
    return chunks.stream().filter(chunk -> chunk.unit() == unit).toList();
  }

  private UnitInput input(
      DataNodes dataNodes, ReplicaPreference preference, int unit, List<ByteRange> wanted) {
    LocatedBlock block = stripe.unit(unit).located().orElseThrow();
    return new UnitInput(dataNodes, unit, block, preference.order(block), wanted);
  }

  /** What is read of each unit from a slice on; units of which nothing is read are not in it. */
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

  /** Helpers of the slice being read that are still to give something. */
  UnitSet pending(int index) {
    return UnitSet.of(
        slices.get(index).recipe().helpers().stream().filter(unit -> !done.contains(unit)));
  }

  /** The node that is being read from for a unit. */
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

  /** Bytes of its buffers, but those that were there before. */
  long memory() {
    return ownBuffers;
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

  Collection<UnitInput> inputs() {
    return inputs.values();
  }

  /** Closes what the others do not go on with. */
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
