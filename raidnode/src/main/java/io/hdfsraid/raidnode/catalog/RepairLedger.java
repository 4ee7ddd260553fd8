package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidnode.catalog.Tables.Waking;
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
 * The stripes that are known to have lost units. A record and its places in the orders change
 * together, so that the most urgent ones, and those whose time has come, are found without looking
 * at the others, however many there are. Safe for concurrent use.
 */
public final class RepairLedger {
  private static final int BATCH = 1_000;

  /** One in so many is of those that have lost too much, for some of them no longer have. */
  private static final int TURN_OF_THE_LOST = 8;

  private final Store store;
  private final Map<RepairStatus, Long> counts = new EnumMap<>(RepairStatus.class);
  private long atRisk;
  private int taken;

  /** Those that wait, by further losses; guarded by this. */
  private final NavigableMap<Integer, Level> levels = new TreeMap<>();

  /** Told of what is lost no more. */
  private final List<LongConsumer> listeners = new CopyOnWriteArrayList<>();

  /** No entry lies before this one; empty for the beginning. Guarded by this. */
  private Optional<Waking> firstToWake = Optional.empty();

  /**
   * Those that wait and bear as many further losses.
   *
   * @param first no entry lies before this one: RocksDB passes over what was removed, and a queue
   *     is removed where it begins
   */
  private record Level(long waiting, Urgency first) {}

  RepairLedger(Store store) {
    this.store = store;
    for (RepairStatus status : RepairStatus.values()) {
      counts.put(status, 0L);
    }
  }

  /** What an earlier process has written; it works on nothing any more. Once, before all else. */
  synchronized void takeUp() {
    Optional<StripeKey> after = Optional.empty();
    while (true) {
      List<RepairRecord> page = list(after, BATCH);
      if (page.isEmpty()) {
        return;
      }
      try (Store.Changes changes = store.changes()) {
        for (RepairRecord found : page) {
          RepairRecord record =
              found.status() == RepairStatus.RUNNING
                  ? found.to(RepairStatus.WAITING, found.reason(), Optional.empty())
                  : found;
          enter(record, changes);
        }
        changes.commit();
      }
      after = Optional.of(page.get(page.size() - 1).stripe());
    }
  }

  /**
   * From now on a listener is told of each stripe of which a unit is lost no more.
   *
   * @param listener takes the inode id of the protected file, or the id of the group; is called
   *     under the lock of this ledger, so it is quick and asks the ledger nothing
   */
  public void whenMended(LongConsumer listener) {
    listeners.add(listener);
  }

  public Optional<RepairRecord> find(StripeKey stripe) {
    return store.get(Tables.REPAIRS, stripe);
  }

  public synchronized void put(RepairRecord repair) {
    replace(find(repair.stripe()), Optional.of(repair));
  }

  /** Changes what is known of a repair, undisturbed by others; empty when it is not known. */
  public synchronized Optional<RepairRecord> update(
      StripeKey stripe, UnaryOperator<RepairRecord> change) {
    return change(stripe, known -> known.map(change));
  }

  /**
   * Writes down what is to be known of a repair, undisturbed by others.
   *
   * @param change what is known, to what is known from now on; nothing when there is nothing to
   *     repair
   */
  public synchronized Optional<RepairRecord> change(
      StripeKey stripe, Function<Optional<RepairRecord>, Optional<RepairRecord>> change) {
    Optional<RepairRecord> known = find(stripe);
    Optional<RepairRecord> changed = change.apply(known);
    replace(known, changed);
    return changed;
  }

  /** The stripe is whole again, or is no more. */
  public synchronized void remove(StripeKey stripe) {
    replace(find(stripe), Optional.empty());
  }

  /**
   * The most urgent one that waits, which is running from now on; whoever takes it says what came
   * of it. Costs the same however many there are. What has lost too much comes last, but for every
   * eighth turn: judged anew it may be at risk, and be repaired; but thousands of such stripes must
   * not be judged before anything else.
   *
   * @param furtherLosses only one that bears at most so many
   */
  public synchronized Optional<RepairRecord> take(int furtherLosses) {
    // A copy, for taking one changes the levels.
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

  /** This one, whatever it waits for; empty when it is running already, or is not known. */
  public synchronized Optional<RepairRecord> take(StripeKey stripe) {
    Optional<RepairRecord> known =
        find(stripe).filter(repair -> repair.status() != RepairStatus.RUNNING);
    known.ifPresent(
        repair -> put(repair.to(RepairStatus.RUNNING, repair.reason(), Optional.empty())));
    return known;
  }

  /** Those that are to be tried again now, or were earlier, wait from now on. */
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

  /** All with this status wait from now on. */
  public void wake(RepairStatus status) {
    Optional<StripeKey> after = Optional.empty();
    while (count(status) > 0) {
      List<RepairRecord> page = list(after, BATCH);
      if (page.isEmpty()) {
        return;
      }
      for (RepairRecord repair : page) {
        if (repair.status() == status) {
          wait(repair.stripe());
        }
      }
      after = Optional.of(page.get(page.size() - 1).stripe());
    }
  }

  /**
   * It keeps the reason why it did not run last, so that a repeated one is told apart from news.
   */
  private Optional<RepairRecord> wait(StripeKey stripe) {
    return update(
        stripe,
        repair ->
            repair.status() == RepairStatus.RUNNING
                ? repair
                : repair.to(RepairStatus.WAITING, repair.reason(), Optional.empty()));
  }

  /** At most {@code limit} of them by stripe, from the one after {@code after}. */
  public List<RepairRecord> list(Optional<StripeKey> after, int limit) {
    List<RepairRecord> found = new ArrayList<>();
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

  /** Those of one parity file. */
  public List<RepairRecord> of(long parityInode) {
    List<RepairRecord> found = new ArrayList<>();
    store.ascend(
        Tables.REPAIRS,
        Optional.of(new StripeKey(parityInode, 0)),
        (stripe, repair) -> stripe.parityInode() == parityInode && found.add(repair));
    return found;
  }

  /**
   * At most {@code limit} of them, whatever their status, the most urgent first.
   *
   * @param after the place of one that was listed before
   */
  public List<RepairRecord> mostUrgent(Optional<Urgency> after, int limit) {
    List<RepairRecord> found = new ArrayList<>();
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

  /** How many have this standing: see {@link RepairRecord#standing}. */
  public synchronized long count(RepairStatus status) {
    return counts.get(status);
  }

  /** How many bear no further loss, or not even those they have. */
  public synchronized long atRisk() {
    return atRisk;
  }

  /** How many there are. */
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

  private void replace(Optional<RepairRecord> before, Optional<RepairRecord> after) {
    if (before.equals(after)) {
      return;
    }
    try (Store.Changes changes = store.changes()) {
      before.ifPresent(repair -> leave(repair, changes));
      after.ifPresent(repair -> enter(repair, changes));
      changes.commit();
    }
    before
        .filter(known -> after.filter(now -> now.lost().containsAll(known.lost())).isEmpty())
        .ifPresent(known -> listeners.forEach(listener -> listener.accept(known.inode())));
  }

  private void leave(RepairRecord repair, Store.Changes changes) {
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

  private void enter(RepairRecord repair, Store.Changes changes) {
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

  private void count(RepairRecord repair, int sign) {
    counts.merge(repair.standing(), (long) sign, Long::sum);
    atRisk += repair.furtherLosses() <= 0 ? sign : 0;
  }
}
