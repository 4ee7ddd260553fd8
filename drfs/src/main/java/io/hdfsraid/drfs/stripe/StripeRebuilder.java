// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;

/**
 * Rebuilds lost units of a stripe from the other units, row by row. While one row is decoded the
 * next row is read, from all helpers in parallel. Holds no state between calls. Safe for concurrent
 * use.
 */
public final class StripeRebuilder {
  private final DataNodes dataNodes;
  private final Executor executor;
  private final ReplicaPreference preference;
  private final RowMemory memory;
  private final HedgePolicy hedge;

  /**
   * @param executor runs the reads and the sinks, none of which waits for another. If it is
   *     bounded, its threads must not call this rebuilder
   * @param preference the order in which the replicas of a helper are read
   * @param memory memory for the rows of all stripes that share it
   */
  public StripeRebuilder(
      DataNodes dataNodes, Executor executor, ReplicaPreference preference, RowMemory memory) {
    this(dataNodes, executor, preference, memory, HedgePolicy.NEVER);
  }

  /**
   * Creates a rebuilder that does not wait for the slowest helper.
   *
   * @param hedge when to read around slow helpers
   */
  public StripeRebuilder(
      DataNodes dataNodes,
      Executor executor,
      ReplicaPreference preference,
      RowMemory memory,
      HedgePolicy hedge) {
    this.hedge = hedge;
    this.dataNodes = dataNodes;
    this.executor = executor;
    this.preference = preference;
    this.memory = memory;
  }

  /**
   * Rebuilds all units of the recipe in one pass. Reads exactly what the recipe names, unless
   * helpers are slow (see {@link HedgePolicy}). Waits for memory first.
   *
   * @param sinks one sink for each of {@code recipe.lost()}, opened when the memory has been
   *     acquired. Each sink gets the bytes of its unit in order and is not closed. After a failure
   *     the caller must discard what the sinks have got
   * @param bytesRead called by the calling thread after each row with the bytes read from DataNodes
   * @return the result, whose CRCs have not been compared yet: see {@link
   *     RebuiltStripe#contradicted}
   * @throws HelperLostException if no replica of a helper can be read; the caller plans again
   *     without this helper
   * @throws java.io.InterruptedIOException if the calling thread is interrupted; its interrupt flag
   *     is set
   */
  public RebuiltStripe rebuild(
      LocatedStripe stripe, RebuildRecipe recipe, UnitSinks sinks, LongConsumer bytesRead)
      throws IOException {
    try (HedgedReads inputs =
        new HedgedReads(
            dataNodes,
            preference,
            stripe,
            each -> RebuildPass.slices(stripe, each),
            recipe,
            memory,
            hedge)) {
      RowBuffers rebuilt = RebuildPass.buffers(stripe, recipe);
      return memory.during(
          inputs.memory() + rebuilt.memory(),
          () -> {
            RebuildPass pass =
                new RebuildPass(stripe, recipe, inputs, rebuilt, open(sinks, recipe), bytesRead);
            run(pass);
            return new RebuiltStripe(pass.crcs(), inputs.result());
          });
    }
  }

  private static Map<Integer, UnitSink> open(UnitSinks sinks, RebuildRecipe recipe)
      throws IOException {
    Map<Integer, UnitSink> opened = sinks.open();
    if (!UnitSet.of(opened.keySet()).equals(recipe.lost())) {
      throw new IllegalArgumentException(
          "The recipe rebuilds units %s, but the sinks are for %s"
              .formatted(recipe.lost(), opened.keySet()));
    }
    return opened;
  }

  private void run(RowPipeline.Rows rows) throws IOException {
    try (TaskGroup tasks = new TaskGroup(executor)) {
      var unused = RowPipeline.run(tasks, rows);
    }
  }

  /**
   * Rebuilds {@code target.remaining()} bytes of one unit, from {@code offset} on, and reads no
   * more than they need. Plans the recipe, and plans again without a helper that fails. Never reads
   * the unit itself. If the range is the whole unit, its CRC is compared with the recorded one.
   *
   * @param cost cost of reading each unit; absent units always cost nothing
   * @param target filled from position to limit; position is then the limit
   * @throws IndexOutOfBoundsException if the range is not inside the unit
   * @throws WrongContentException if the range is the whole unit and contradicts its CRC
   * @throws UnrecoverableStripeException if the remaining units do not determine the wanted one
   * @throws java.io.InterruptedIOException if the calling thread is interrupted; its interrupt flag
   *     is set
   */
  public HelperReads read(
      LocatedStripe stripe, int unit, long offset, ByteBuffer target, ReadCost cost)
      throws IOException {
    StripeUnit wanted = stripe.unit(unit);
    Objects.checkFromIndexSize(offset, target.remaining(), wanted.length());
    if (!target.hasRemaining()) {
      return new HelperReads(Map.of(), Map.of(), List.of());
    }
    UnitSet available = stripe.available().without(unit);
    List<HelperLostException> lostHelpers = new ArrayList<>();
    while (true) {
      RebuildRecipe recipe = plan(stripe, unit, available, cost, lostHelpers);
      try {
        HelperReads reads = read(stripe, unit, recipe, offset, target);
        if (target.remaining() == wanted.length()) {
          WrongContentException.check(stripe, wanted, target);
        }
        target.position(target.limit());
        return reads.after(lostHelpers);
      } catch (HelperLostException e) {
        lostHelpers.add(e);
        available = available.minus(e.units());
      }
    }
  }

  private static RebuildRecipe plan(
      LocatedStripe stripe,
      int unit,
      UnitSet available,
      ReadCost cost,
      List<HelperLostException> lostHelpers)
      throws UnrecoverableStripeException {
    return stripe
        .codec()
        .recipe(UnitSet.of(unit), available, stripe.cost(cost))
        .orElseThrow(
            () -> {
              UnrecoverableStripeException e =
                  new UnrecoverableStripeException(stripe, unit, available);
              lostHelpers.forEach(e::addSuppressed);
              return e;
            });
  }

  private HelperReads read(
      LocatedStripe stripe, int unit, RebuildRecipe recipe, long offset, ByteBuffer target)
      throws IOException {
    ByteRange range = new ByteRange(offset, offset + target.remaining());
    List<RowSlice> slices = RangePass.slices(stripe, unit, range, recipe);
    try (HedgedReads inputs =
        new HedgedReads(
            dataNodes,
            preference,
            stripe,
            each -> RangePass.slices(stripe, unit, range, each),
            recipe,
            memory,
            hedge)) {
      return memory.during(
          inputs.memory(),
          () -> {
            run(new RangePass(stripe, slices, inputs, offset, target));
            return inputs.result();
          });
    }
  }
}
