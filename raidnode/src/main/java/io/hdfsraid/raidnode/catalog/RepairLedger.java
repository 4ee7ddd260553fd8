// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidnode.catalog.Tables.Waking;
import io.hdfsraid.recency.rocksdb.Table;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/**
 * The repairs of all stripes with known losses. Each state and its entries in the orders change
 * together. So the most urgent repairs, and those whose time has come, are found without a scan,
 * however many there are. Safe for concurrent use.
 */
public final class RepairLedger {
  private static final int BATCH = 1_000;

  /**
   * Every eighth stripe that is taken is one with too many losses, because some of them may be
   * recoverable by now.
   */
  private static final int TURN_OF_THE_LOST = 8;

  /** The place before all stripes that tolerate their losses, and no further one. */
  private static final Urgency FIRST_AT_RISK = new Urgency(0, Instant.EPOCH, new StripeKey(0, 0));

  private final TableStore store;
  private final Map<RepairStatus, Long> counts = new EnumMap<>(RepairStatus.class);
  private long atRisk;
  private int taken;

  /** The waiting repairs by further losses; guarded by this. */
  private final NavigableMap<Integer, Level> levels = new TreeMap<>();

  /** Called when a loss has been repaired. */
  private final List<LongConsumer> listeners = new CopyOnWriteArrayList<>();

  /**
   * The first entry of the waking order, at the earliest; empty for the beginning. Guarded by this.
   */
  private Optional<Waking> firstToWake = Optional.empty();

  /**
   * The waiting repairs of stripes that tolerate the same number of further losses.
   *
   * @param first the first entry, at the earliest. RocksDB steps over removed entries, and a queue
   *     removes entries at its beginning
   */
  private record Level(long waiting, Urgency first) {}

  RepairLedger(TableStore store) {
    this.store = store;
    for (RepairStatus status : RepairStatus.values()) {
      counts.put(status, 0L);
    }
  }

  /** Takes over the repairs of an earlier process. Called once, before all other methods. */
  synchronized void takeUp(Instant now) {
    Optional<StripeKey> after = Optional.empty();
    while (true) {
      List<RepairState> page = list(after, BATCH);
      if (page.isEmpty()) {
        return;
      }
      TableStore.Changes changes = store.changes();
      for (RepairState found : page) {
        RepairState taken = found.afterRestart().withoutFuture(now);
        if (!taken.equals(found)) {
          Waking.of(found).ifPresent(waking -> changes.remove(Tables.REPAIRS_WAKING, waking));
        }
        enter(taken, changes);
      }
      changes.commit();

      after = Optional.of(page.get(page.size() - 1).stripe());
    }
  }

  /**
   * Adds a listener that is called for each stripe with a unit that is no longer lost.
   *
   * @param listener takes the inode id of the protected file, or the id of the group. It is called
   *     under the lock of this ledger, so it must be fast and must not call the ledger
   */
  public void whenMended(LongConsumer listener) {
    listeners.add(listener);
  }

  public Optional<RepairState> find(StripeKey stripe) {
    return store.get(Tables.REPAIRS, stripe);
  }

  public synchronized void put(RepairState repair) {
    replace(find(repair.stripe()), Optional.of(repair));
  }

  /** Changes the state of a repair atomically; empty if it is not known. */
  public synchronized Optional<RepairState> update(
      StripeKey stripe, UnaryOperator<RepairState> change) {
    return change(stripe, known -> known.map(change));
  }

  /**
   * Sets the state of a repair atomically.
   *
   * @param change maps the present state to the new one; empty if there is nothing to repair
   */
  public synchronized Optional<RepairState> change(
      StripeKey stripe, Function<Optional<RepairState>, Optional<RepairState>> change) {
    Optional<RepairState> known = find(stripe);
    Optional<RepairState> changed = change.apply(known);
    replace(known, changed);
    return changed;
  }

  /** Removes a stripe that is whole again or no longer exists. */
  public synchronized void remove(StripeKey stripe) {
    replace(find(stripe), Optional.empty());
  }

  /**
   * Takes the most urgent waiting repair, which is running from now on. The caller must record the
   * result. The cost does not depend on the number of repairs. Stripes with too many losses come
   * last, except in every eighth turn: a new evaluation may find them recoverable, but thousands of
   * them must not delay all others.
   *
   * @param furtherLosses takes only a stripe that tolerates at most this many further losses
   */
  public synchronized Optional<RepairState.Running> take(int furtherLosses) {
    // A copy, because taking a repair changes the levels.
    List<Level> inTurn = new ArrayList<>(levels.headMap(furtherLosses, true).values());
    if (taken % TURN_OF_THE_LOST != TURN_OF_THE_LOST - 1) {
      Collections.rotate(inTurn, -levels.headMap(0).size());
    }
    for (Level level : inTurn) {
      Optional<Urgency> found =
          first(Tables.REPAIRS_READY, Optional.of(level.first()))
              .filter(urgency -> urgency.furtherLosses() == level.first().furtherLosses());
      if (found.isPresent()) {
        levels.put(found.get().furtherLosses(), new Level(level.waiting(), found.get()));
        taken++;
        return take(found.get().stripe());
      }
    }
    return Optional.empty();
  }

  /**
   * Takes the repair of this stripe, whatever it waits for; empty if it is running or not known.
   */
  public synchronized Optional<RepairState.Running> take(StripeKey stripe) {
    Optional<RepairState.Running> taken =
        find(stripe)
            .filter(RepairState.Idle.class::isInstance)
            .map(repair -> ((RepairState.Idle) repair).start());
    taken.ifPresent(this::put);
    return taken;
  }

  /** Wakes the repairs whose time has come. */
  public synchronized void wake(Instant now) {
    while (counts.get(RepairStatus.POSTPONED) + counts.get(RepairStatus.UNRECOVERABLE) > 0) {
      Optional<Waking> found = first(Tables.REPAIRS_WAKING, firstToWake);
      firstToWake = found;
      if (found.isEmpty() || found.get().at().isAfter(now)) {
        return;
      }
      if (wait(found.get().stripe()).isEmpty()) {
        store.remove(Tables.REPAIRS_WAKING, found.get());
      }
    }
  }

  /** Wakes all repairs with this status. */
  public void wake(RepairStatus status) {
    Optional<StripeKey> after = Optional.empty();
    while (count(status) > 0) {
      List<RepairState> page = list(after, BATCH);
      if (page.isEmpty()) {
        return;
      }
      for (RepairState repair : page) {
        if (repair.status() == status) {
          wait(repair.stripe());
        }
      }
      after = Optional.of(page.get(page.size() - 1).stripe());
    }
  }

  /**
   * Wakes all repairs that wait for a time, but for those that an operator wants left alone: after
   * the clock was set back, that time may be far away.
   */
  public void wakePostponed() {
    Optional<StripeKey> after = Optional.empty();
    while (count(RepairStatus.POSTPONED) + count(RepairStatus.UNRECOVERABLE) > 0) {
      List<RepairState> page = list(after, BATCH);
      if (page.isEmpty()) {
        return;
      }
      for (RepairState repair : page) {
        Optional<RepairState> unused =
            update(repair.stripe(), known -> known.wakeAt().isPresent() ? known.woken() : known);
      }
      after = Optional.of(page.get(page.size() - 1).stripe());
    }
  }

  /** Wakes one repair, unless it is running. */
  private Optional<RepairState> wait(StripeKey stripe) {
    return update(stripe, repair -> repair instanceof RepairState.Idle idle ? idle.wake() : repair);
  }

  /**
   * Returns at most {@code limit} repairs in the order of stripes, beginning after {@code after}.
   */
  public List<RepairState> list(Optional<StripeKey> after, int limit) {
    List<RepairState> found = new ArrayList<>();
    store.ascend(
        Tables.REPAIRS,
        after.map(stripe -> new StripeKey(stripe.parityInode(), stripe.index() + 1)),
        (stripe, repair) -> {
          if (found.size() < limit) {
            found.add(repair);
          }
          return found.size() < limit;
        });
    return found;
  }

  /** Returns the repairs of one parity file. */
  public List<RepairState> of(long parityInode) {
    List<RepairState> found = new ArrayList<>();
    store.ascend(
        Tables.REPAIRS,
        Optional.of(new StripeKey(parityInode, 0)),
        (stripe, repair) -> stripe.parityInode() == parityInode && found.add(repair));
    return found;
  }

  /**
   * Returns at most {@code limit} repairs with any status, the most urgent first.
   *
   * @param after the last place of the previous page
   */
  public List<RepairState> mostUrgent(Optional<Urgency> after, int limit) {
    List<RepairState> found = new ArrayList<>();
    store.ascend(
        Tables.REPAIRS_BY_URGENCY,
        after,
        (urgency, present) -> {
          if (!after.equals(Optional.of(urgency))) {
            find(urgency.stripe())
                .filter(repair -> Urgency.of(repair).equals(urgency))
                .ifPresent(found::add);
          }
          return found.size() < limit;
        });
    return found;
  }

  /** Returns the number of repairs with this {@linkplain RepairState#shownStatus shown status}. */
  public synchronized long count(RepairStatus status) {
    return counts.get(status);
  }

  /**
   * Returns the number of stripes that tolerate no further loss, or not even their present losses.
   */
  public synchronized long atRisk() {
    return atRisk;
  }

  /**
   * Returns that of the stripes that tolerate no further loss which has done so for longest. It may
   * have come to tolerate none later. The cost does not depend on the number of repairs.
   */
  public Optional<RepairState> longestAtRisk() {
    return first(Tables.REPAIRS_BY_URGENCY, Optional.of(FIRST_AT_RISK))
        .filter(urgency -> urgency.furtherLosses() == 0)
        .flatMap(urgency -> find(urgency.stripe()));
  }

  /** Returns the number of repairs. */
  public synchronized long size() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private <K> Optional<K> first(Table<K, Boolean> order, Optional<K> from) {
    List<K> found = new ArrayList<>(1);
    store.ascend(
        order,
        from,
        (key, present) -> {
          found.add(key);
          return false;
        });
    return found.stream().findFirst();
  }

  private void replace(Optional<RepairState> before, Optional<RepairState> after) {
    if (before.equals(after)) {
      return;
    }
    TableStore.Changes changes = store.changes();
    before.ifPresent(repair -> leave(repair, changes));
    after.ifPresent(repair -> enter(repair, changes));
    changes.commit();

    before
        .filter(known -> after.filter(now -> now.lost().containsAll(known.lost())).isEmpty())
        .ifPresent(known -> listeners.forEach(listener -> listener.accept(known.inode())));
  }

  private void leave(RepairState repair, TableStore.Changes changes) {
    changes
        .remove(Tables.REPAIRS, repair.stripe())
        .remove(Tables.REPAIRS_BY_URGENCY, Urgency.of(repair));
    if (repair.status() == RepairStatus.WAITING) {
      Urgency urgency = Urgency.of(repair);
      changes.remove(Tables.REPAIRS_READY, urgency);
      levels.computeIfPresent(
          urgency.furtherLosses(),
          (losses, level) ->
              level.waiting() == 1 ? null : new Level(level.waiting() - 1, level.first()));
    }
    Waking.of(repair).ifPresent(waking -> changes.remove(Tables.REPAIRS_WAKING, waking));
    count(repair, -1);
  }

  private void enter(RepairState repair, TableStore.Changes changes) {
    Urgency urgency = Urgency.of(repair);
    changes
        .put(Tables.REPAIRS, repair.stripe(), repair)
        .put(Tables.REPAIRS_BY_URGENCY, urgency, true);
    if (repair.status() == RepairStatus.WAITING) {
      changes.put(Tables.REPAIRS_READY, urgency, true);
      levels.merge(
          urgency.furtherLosses(),
          new Level(1, urgency),
          (known, one) ->
              new Level(
                  known.waiting() + 1,
                  urgency.compareTo(known.first()) < 0 ? urgency : known.first()));
    }
    Waking.of(repair)
        .ifPresent(
            waking -> {
              changes.put(Tables.REPAIRS_WAKING, waking, true);
              firstToWake = firstToWake.map(first -> waking.compareTo(first) < 0 ? waking : first);
            });
    count(repair, 1);
  }

  private void count(RepairState repair, int sign) {
    counts.merge(repair.shownStatus(), (long) sign, Long::sum);
    atRisk += repair.furtherLosses() <= 0 ? sign : 0;
  }
}
