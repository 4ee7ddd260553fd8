// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.RebuildRecipe.Chunk;
import io.hdfsraid.erasurecode.RowLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;

/** The rebuild of whole units of one stripe by the {@link StripeRebuilder}. Each slice is a row. */
final class RebuildPass implements RowPipeline.Rows {
  private final LocatedStripe stripe;
  private final HedgedReads inputs;
  private final RowBuffers rebuilt;
  private final Map<Integer, UnitSink> sinks;
  private final LongConsumer bytesRead;
  private final int[] lost;
  private final Map<Integer, CRC32C> crcs = new TreeMap<>();

  RebuildPass(
      LocatedStripe stripe,
      RebuildRecipe recipe,
      HedgedReads inputs,
      RowBuffers rebuilt,
      Map<Integer, UnitSink> sinks,
      LongConsumer bytesRead) {
    this.stripe = stripe;
    this.inputs = inputs;
    this.rebuilt = rebuilt;
    this.sinks = sinks;
    this.bytesRead = bytesRead;
    this.lost = recipe.lost().toArray();
    for (int unit : lost) {
      crcs.put(unit, new CRC32C());
    }
  }

  /** Creates the buffers for the rebuilt rows. */
  static RowBuffers buffers(LocatedStripe stripe, RebuildRecipe recipe) {
    RowLayout layout = stripe.layout();
    int slots = (int) Math.min(RowPipeline.SLOTS, layout.rows(stripe.stripeLength()));
    int bytes = slots == 0 ? 0 : layout.subUnits() * layout.chunkLength(0, stripe.stripeLength());
    return new RowBuffers(slots, recipe.lost().size(), bytes);
  }

  /** Returns one slice for each whole row. */
  static List<RowSlice> slices(LocatedStripe stripe, RebuildRecipe recipe) {
    RowLayout layout = stripe.layout();
    List<Chunk> wanted =
        recipe.lost().stream()
            .boxed()
            .flatMap(
                unit -> IntStream.range(0, layout.subUnits()).mapToObj(j -> new Chunk(unit, j)))
            .toList();
    return LongStream.range(0, layout.rows(stripe.stripeLength()))
        .mapToObj(
            row ->
                new RowSlice(
                    row, 0, layout.chunkLength(row, stripe.stripeLength()), wanted, recipe))
        .toList();
  }

  @Override
  public int count() {
    return Math.toIntExact(stripe.layout().rows(stripe.stripeLength()));
  }

  private int chunkLength(int row) {
    return stripe.layout().chunkLength(row, stripe.stripeLength());
  }

  private int rowLength(int row) {
    return stripe.layout().subUnits() * chunkLength(row);
  }

  @Override
  public RowPipeline.PendingRead read(TaskGroup tasks, int row) throws IOException {
    return inputs.read(tasks, row);
  }

  @Override
  public void code(int row) {
    int subUnits = stripe.layout().subUnits();
    ByteBuffer[] outputs = new ByteBuffer[lost.length * subUnits];
    for (int i = 0; i < outputs.length; i++) {
      outputs[i] =
          rebuilt
              .get(row, i / subUnits, rowLength(row))
              .slice(i % subUnits * chunkLength(row), chunkLength(row));
    }
    inputs.rebuild(row, outputs);
    bytesRead.accept(inputs.bytesOfRow());
  }

  @Override
  public List<TaskGroup.Task> writes(int row) {
    List<TaskGroup.Task> tasks = new ArrayList<>();
    for (int i = 0; i < lost.length; i++) {
      int unit = lost[i];
      long rest = stripe.unit(unit).length() - (long) row * stripe.layout().rowBytes();
      if (rest > 0) {
        ByteBuffer bytes = rebuilt.get(row, i, (int) Math.min(rest, rowLength(row)));
        tasks.add(
            () -> {
              crcs.get(unit).update(bytes.duplicate());
              sinks.get(unit).accept(bytes);
            });
      }
    }
    return tasks;
  }

  Map<Integer, Integer> crcs() {
    Map<Integer, Integer> values = new TreeMap<>();
    crcs.forEach((unit, crc) -> values.put(unit, (int) crc.getValue()));
    return values;
  }
}
