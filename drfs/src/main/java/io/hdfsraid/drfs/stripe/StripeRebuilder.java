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
 * Rebuilds lost units of a stripe from the others, row by row: while one row is decoded the next is
 * read, from all helpers at once. Holds no state between calls; safe for concurrent use.
 */
public final class StripeRebuilder {
  private final DataNodes dataNodes;
  private final Executor executor;
  private final ReplicaPreference preference;
  private final RowMemory memory;
  private final Hedge hedge;

  /**
   * @param executor runs the reads and the sinks, none of which waits for another; a thread that
   *     calls this rebuilder must not be one of a bounded executor's
   * @param preference which replica of a helper to read first
   * @param memory for the rows of all stripes that share it
   */
  public StripeRebuilder(
      DataNodes dataNodes, Executor executor, ReplicaPreference preference, RowMemory memory) {
    this(dataNodes, executor, preference, memory, Hedge.NEVER);
  }

  /**
   * A rebuilder of whole units that does not wait for the slowest helper.
   *
   * @param hedge when to read around helpers; reads of ranges wait for theirs
   */
  public StripeRebuilder(
      DataNodes dataNodes,
      Executor executor,
      ReplicaPreference preference,
      RowMemory memory,
      Hedge hedge) {
    this.hedge = hedge;
    this.dataNodes = dataNodes;
    this.executor = executor;
    this.preference = preference;
    this.memory = memory;
  }

  /**
   * Rebuilds all units the recipe rebuilds in one pass, reading exactly what it names, unless
   * helpers are slow (see {@link Hedge}). Waits for memory first.
   *
   * @param sinks one for each of {@code recipe.lost()}, opened when the memory is there; each gets
   *     its unit's bytes in order and is not closed. When this fails, what a sink has got is to be
   *     thrown away
   * @param bytesRead called after each row, by the calling thread, with the bytes it read from
   *     DataNodes
   * @return the CRCs are not compared here: see {@link RebuiltStripe#contradicted}
   * @throws HelperLostException when no replica of a helper can be read: plan again without it
   * @throws java.io.InterruptedIOException when the calling thread is interrupted; its flag is set
   */
  public RebuiltStripe rebuild(
      LocatedStripe stripe, RebuildRecipe recipe, UnitSinks sinks, LongConsumer bytesRead)
      throws IOException {
    try (HedgedReads inputs =
        new HedgedReads(dataNodes, preference, stripe, recipe, memory, hedge)) {
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
   * Rebuilds {@code target.remaining()} bytes of one unit, from {@code offset} on, reading no more
   * than they need. Plans by itself, and again without a helper that fails. Whether the unit itself
   * could be read does not matter. A range that is the whole unit is held against the recorded CRC.
   *
   * @param cost of reading each unit; absent ones cost nothing whatever it says
   * @param target filled from position to limit; position is then the limit
   * @throws IndexOutOfBoundsException when the range is not inside the unit
   * @throws WrongContentException when the range is the whole unit and contradicts its CRC
   * @throws UnrecoverableStripeException when the units left do not determine the wanted one
   * @throws java.io.InterruptedIOException when the calling thread is interrupted; its flag is set
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
        available = available.without(e.unit());
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
    try (HelperInputs inputs = new HelperInputs(dataNodes, preference, stripe, slices)) {
      return memory.during(
          inputs.memory(),
          () -> {
            run(new RangePass(stripe, slices, inputs, offset, target));
            return HelperReads.of(inputs.inputs());
          });
    }
  }
}
