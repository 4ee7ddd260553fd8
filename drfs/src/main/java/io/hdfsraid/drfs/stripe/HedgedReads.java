package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a rebuild reads, row by row, by a recipe that changes on the way when helpers are slow: see
 * {@link Hedge}. Used by one thread.
 */
final class HedgedReads implements Closeable {
  /** Breaks ties only: what is open already is gone on with. */
  private static final double KNOWN = 0.999;

  private final LocatedStripe stripe;
  private final ReplicaPreference preference;
  private final RowMemory memory;
  private final Hedge hedge;
  private final HelperInputs planned;
  private final Set<UnitInput> used = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<RowMemory.Lease> leases = new ArrayList<>();

  /** Units that were slow or failed, and are left for good. */
  private UnitSet left = UnitSet.none();

  private RebuildRecipe recipe;
  private HelperInputs inputs;
  private Optional<TaskGroup> group = Optional.empty();
  private long bytesSoFar;
  private long bytesOfRow;

  /**
   * @param recipe to begin with
   * @param memory that {@link #memory} bytes of are held while it reads
   */
  HedgedReads(
      DataNodes dataNodes,
      ReplicaPreference preference,
      LocatedStripe stripe,
      RebuildRecipe recipe,
      RowMemory memory,
      Hedge hedge) {
    this.stripe = stripe;
    this.preference = preference;
    this.memory = memory;
    this.hedge = hedge;
    this.recipe = recipe;
    this.planned =
        new HelperInputs(dataNodes, preference, stripe, RebuildPass.slices(stripe, recipe));
    this.inputs = planned;
    used.addAll(planned.inputs());
  }

  /** Bytes of the buffers to begin with; those of another recipe are taken when it begins. */
  long memory() {
    return planned.memory();
  }

  /** Begins to read a row; the one before must be there. */
  RowPipeline.Reading read(TaskGroup tasks, int row) throws IOException {
    if (group.isEmpty()) {
      group = Optional.of(tasks.beside());
    }
    TaskGroup.Batch batch = group.get().start(inputs.reads(row));
    return () -> {
      await(tasks, batch, row);
      count(row);
    };
  }

  /** Combines the inputs of the row that was awaited last into the lost units. */
  void rebuild(int row, ByteBuffer[] outputs) {
    recipe.rebuild(inputs.buffers(row), outputs);
  }

  /** What the row that was awaited last has taken from DataNodes. */
  long bytesOfRow() {
    return bytesOfRow;
  }

  /** To be called when nothing is being read. */
  HelperReads result() {
    return HelperReads.of(used);
  }

  /** Nothing is being read now, so that these numbers stand still. */
  private void count(int row) {
    long all = used.stream().mapToLong(UnitInput::bytesRead).sum();
    bytesOfRow = all - bytesSoFar;
    bytesSoFar = all;
    long beyond = bytesOfRow - planned.bytes(row);
    if (beyond > 0) {
      hedge.read(beyond);
    }
  }

  private void await(TaskGroup tasks, TaskGroup.Batch batch, int row) throws IOException {
    Optional<Duration> after = hedge.after();
    // At least something, for 0 would be for ever.
    long nanos = after.map(duration -> Math.max(1, duration.toNanos())).orElse(0L);
    boolean there = false;
    tasks.awaitAny(List.of(batch), nanos);
    while (!there && !batch.hasEnded()) {
      Optional<Detour> detour = detour(tasks, row, after.orElseThrow());
      if (detour.isEmpty()) {
        tasks.awaitAny(List.of(batch), nanos);
      } else {
        there = isFaster(tasks, batch, detour.get(), row);
      }
    }
    if (!there) {
      batch.await();
    }
  }

  /**
   * Another way to a row.
   *
   * @param around units that the row waits for
   */
  private record Detour(
      UnitSet around,
      RebuildRecipe recipe,
      HelperInputs inputs,
      TaskGroup group,
      RowMemory.Lease memory) {}

  /** Empty when there is none, or none is needed. */
  private Optional<Detour> detour(TaskGroup tasks, int row, Duration after) {
    UnitSet pending = inputs.pending(row);
    if (pending.isEmpty() || !pending.stream().allMatch(unit -> isWaitedFor(unit, after))) {
      return Optional.empty(); // as long as others are on their way, it is too early to tell
    }
    UnitSet there = recipe.helpers().minus(pending);
    UnitSet usable =
        UnitSet.of(
                stripe.available().stream()
                    .filter(unit -> there.contains(unit) || isUsable(unit, after)))
            .minus(left)
            .minus(recipe.lost());
    Optional<RebuildRecipe> other =
        stripe
            .codec()
            .recipe(
                recipe.lost(),
                usable,
                stripe.cost(unit -> recipe.helpers().contains(unit) ? KNOWN : 1));
    if (other.isEmpty()) {
      return Optional.empty();
    }
    HelperInputs instead =
        inputs.instead(row, RebuildPass.slices(stripe, other.get()), slowLast(after));
    Optional<RowMemory.Lease> lease = memory.spare(instead.memory());
    if (lease.isEmpty()) {
      return Optional.empty();
    }
    hedge.began(stripe, pending, other.get().helpers());
    return Optional.of(new Detour(pending, other.get(), instead, tasks.beside(), lease.get()));
  }

  private boolean isWaitedFor(int unit, Duration after) {
    return inputs.node(unit).filter(node -> hedge.isSlow(node, after)).isPresent();
  }

  private boolean isUsable(int unit, Duration after) {
    return stripe.absent().contains(unit)
        || stripe.unit(unit).located().map(LocatedBlock::live).orElse(List.of()).stream()
            .anyMatch(replica -> !hedge.isSlow(replica.node(), after));
  }

  /** A unit with another replica stays a helper. */
  private ReplicaPreference slowLast(Duration after) {
    return block ->
        preference.order(block).stream()
            .sorted(Comparator.comparing((Replica replica) -> hedge.isSlow(replica.node(), after)))
            .toList();
  }

  /**
   * Waits until one of the two has the row.
   *
   * @return false when the detour is given up: the batch has ended, or goes on
   */
  private boolean isFaster(TaskGroup tasks, TaskGroup.Batch batch, Detour detour, int row)
      throws IOException {
    used.addAll(detour.inputs().inputs());
    TaskGroup.Batch other = detour.group().start(detour.inputs().reads(row));
    boolean faster = false;
    try {
      tasks.awaitAny(List.of(batch, other), 0);
      if (!batch.hasEnded() || batch.hasFailed()) {
        other.await(); // when the batch has failed, it is the only one
        faster = true;
      }
    } catch (HelperLostException e) {
      left = left.with(e.unit());
    } finally {
      if (faster) {
        take(detour);
      } else {
        leave(detour);
      }
    }
    hedge.ended(faster);
    return faster;
  }

  private void take(Detour detour) {
    group.orElseThrow().close();
    inputs.closeBut(detour.inputs());
    leases.add(detour.memory());
    left = left.plus(detour.around());
    recipe = detour.recipe();
    inputs = detour.inputs();
    group = Optional.of(detour.group());
  }

  private void leave(Detour detour) {
    detour.group().close();
    detour.inputs().closeBut(inputs);
    detour.memory().close();
  }

  @Override
  public void close() {
    inputs.close();
    leases.forEach(RowMemory.Lease::close);
  }
}
