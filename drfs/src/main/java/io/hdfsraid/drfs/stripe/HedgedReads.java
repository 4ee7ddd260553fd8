// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.stripe;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.erasurecode.RebuildRecipe;
import io.hdfsraid.erasurecode.UnitSet;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads the inputs of a rebuild, row by row, and changes the recipe if helpers are slow: see {@link
 * HedgePolicy}. Used by one thread.
 */
final class HedgedReads implements Closeable {
  /** The cost factor of helpers that are already open. It only breaks ties. */
  private static final double KNOWN = 0.999;

  private final LocatedStripe stripe;
  private final Function<RebuildRecipe, List<RowSlice>> slicing;
  private final ReplicaPreference preference;
  private final RowMemory memory;
  private final HedgePolicy hedge;
  private final HelperInputs planned;
  private final Set<UnitInput> used = Collections.newSetFromMap(new IdentityHashMap<>());
  private final List<RowMemory.Lease> leases = new ArrayList<>();

  /** Units that were slow or failed and are not used any more. */
  private UnitSet left = UnitSet.none();

  private RebuildRecipe recipe;
  private HelperInputs inputs;
  private Optional<TaskGroup> group = Optional.empty();
  private long bytesSoFar;
  private long bytesOfRow;

  /**
   * @param slicing the slices in which a recipe is carried out; they cover the same parts of the
   *     stripe, whatever the recipe
   * @param recipe the initial recipe
   * @param memory the memory from which {@link #memory} bytes are held while reading
   */
  HedgedReads(
      DataNodes dataNodes,
      ReplicaPreference preference,
      LocatedStripe stripe,
      Function<RebuildRecipe, List<RowSlice>> slicing,
      RebuildRecipe recipe,
      RowMemory memory,
      HedgePolicy hedge) {
    this.stripe = stripe;
    this.slicing = slicing;
    this.preference = preference;
    this.memory = memory;
    this.hedge = hedge;
    this.recipe = recipe;
    this.planned = new HelperInputs(dataNodes, preference, stripe, slicing.apply(recipe));
    this.inputs = planned;
    used.addAll(planned.inputs());
  }

  /**
   * Returns the bytes of the initial buffers. Buffers of an alternative recipe are allocated when
   * it begins.
   */
  long memory() {
    return planned.memory();
  }

  /** Begins to read a row. The previous row must be complete. */
  RowPipeline.PendingRead read(TaskGroup tasks, int row) throws IOException {
    if (group.isEmpty()) {
      group = Optional.of(tasks.child());
    }
    TaskGroup.Batch batch = group.get().start(inputs.reads(row));
    return () -> {
      await(tasks, batch, row);
      count(row);
    };
  }

  /** Combines the inputs of the row that was awaited last into the lost units. */
  void rebuild(int row, ByteBuffer[] outputs) {
    inputs.slice(row).recipe().rebuild(inputs.buffers(row), outputs);
  }

  /** Returns the bytes read from DataNodes for the row that was awaited last. */
  long bytesOfRow() {
    return bytesOfRow;
  }

  /** Returns the totals. Must be called while no read is in flight. */
  HelperReads result() {
    return HelperReads.of(used);
  }

  /** Updates the byte counts. No read is in flight now, so the counts do not change meanwhile. */
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
    // At least 1, because 0 means no limit.
    long nanos = after.map(duration -> Math.max(1, duration.toNanos())).orElse(0L);
    long since = System.nanoTime();
    boolean there = false;
    tasks.awaitAny(List.of(batch), nanos);
    while (!there && !batch.hasEnded()) {
      requireInTime(row, since);
      Optional<Alternative> alternative = alternative(tasks, row, after.orElseThrow());
      if (alternative.isEmpty()) {
        tasks.awaitAny(List.of(batch), nanos);
      } else {
        there = isFaster(tasks, batch, alternative.get(), row);
      }
    }
    if (!there) {
      batch.await();
    }
  }

  /** Gives up helpers that do not answer at all, so that others are tried. */
  private void requireInTime(int row, long sinceNanos) throws HelperLostException {
    Optional<Duration> deadline = hedge.deadline();
    UnitSet pending = inputs.pending(row);
    if (deadline.isEmpty()
        || pending.isEmpty()
        || System.nanoTime() - sinceNanos < deadline.get().toNanos()) {
      return;
    }
    List<DataNode> nodes =
        pending.stream().mapToObj(inputs::node).flatMap(Optional::stream).toList();
    hedge.gaveUp(nodes);
    throw new HelperLostException(
        stripe,
        pending,
        new SocketTimeoutException(
            "no answer for %d ms from %s"
                .formatted(
                    deadline.get().toMillis(),
                    nodes.stream().map(DataNode::toString).collect(Collectors.joining(", ")))));
  }

  /**
   * An alternative recipe for a row.
   *
   * @param around the units that the row waits for
   */
  private record Alternative(
      UnitSet around,
      RebuildRecipe recipe,
      HelperInputs inputs,
      TaskGroup group,
      RowMemory.Lease memory) {}

  /** Returns an alternative recipe; empty if there is none or none is needed. */
  private Optional<Alternative> alternative(TaskGroup tasks, int row, Duration after) {
    UnitSet pending = inputs.pending(row);
    if (pending.isEmpty() || !pending.stream().allMatch(unit -> isWaitedFor(unit, after))) {
      return Optional.empty(); // other helpers are still in flight: too early to tell
    }
    UnitSet there = inputs.slice(row).recipe().helpers().minus(pending);
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
    HelperInputs instead = inputs.instead(row, slicing.apply(other.get()), slowLast(after));
    Optional<RowMemory.Lease> lease = memory.spare(instead.memory());
    if (lease.isEmpty()) {
      return Optional.empty();
    }
    hedge.began(stripe, pending, other.get().helpers());
    return Optional.of(new Alternative(pending, other.get(), instead, tasks.child(), lease.get()));
  }

  private boolean isWaitedFor(int unit, Duration after) {
    return inputs.node(unit).filter(node -> hedge.isSlow(node, after)).isPresent();
  }

  private boolean isUsable(int unit, Duration after) {
    return stripe.absent().contains(unit)
        || stripe.unit(unit).located().map(LocatedBlock::live).orElse(List.of()).stream()
            .anyMatch(replica -> !hedge.isSlow(replica.node(), after));
  }

  /** Orders replicas on slow nodes last, so that a unit with another replica remains a helper. */
  private ReplicaPreference slowLast(Duration after) {
    return block ->
        preference.order(block).stream()
            .sorted(Comparator.comparing((Replica replica) -> hedge.isSlow(replica.node(), after)))
            .toList();
  }

  /**
   * Waits until one of the two recipes has completed the row.
   *
   * @return false if the alternative is cancelled, because the original batch has ended or
   *     continues
   */
  private boolean isFaster(TaskGroup tasks, TaskGroup.Batch batch, Alternative alternative, int row)
      throws IOException {
    used.addAll(alternative.inputs().inputs());
    TaskGroup.Batch other = alternative.group().start(alternative.inputs().reads(row));
    boolean faster = false;
    try {
      long nanos = hedge.deadline().map(Duration::toNanos).orElse(0L);
      tasks.awaitAny(List.of(batch, other), nanos);
      if (batch.hasFailed()) {
        tasks.awaitAny(List.of(other), nanos); // only the alternative is left
      }
      if (other.hasEnded() && (!batch.hasEnded() || batch.hasFailed())) {
        other.await();
        faster = true;
      }
    } catch (HelperLostException e) {
      left = left.plus(e.units());
    } finally {
      if (faster) {
        take(alternative);
      } else {
        leave(alternative);
      }
    }
    hedge.ended(faster);
    return faster;
  }

  private void take(Alternative alternative) {
    group.orElseThrow().close();
    inputs.closeBut(alternative.inputs());
    leases.add(alternative.memory());
    left = left.plus(alternative.around());
    recipe = alternative.recipe();
    inputs = alternative.inputs();
    group = Optional.of(alternative.group());
  }

  private void leave(Alternative alternative) {
    alternative.group().close();
    alternative.inputs().closeBut(inputs);
    alternative.memory().close();
  }

  @Override
  public void close() {
    inputs.close();
    leases.forEach(RowMemory.Lease::close);
  }
}
