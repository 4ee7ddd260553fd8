package io.hdfsraid.raidnode.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The stripes that are known to have lost units. */
public final class RepairLedger {
  private final Store store;

  RepairLedger(Store store) {
    this.store = store;
  }

  public Optional<RepairRecord> find(StripeKey stripe) {
    return store.get(Tables.REPAIRS, stripe);
  }

  public synchronized void put(RepairRecord repair) {
    store.put(Tables.REPAIRS, repair.stripe(), repair);
  }

  /** Changes what is known of a repair, undisturbed by others; empty when it is not known. */
  public synchronized Optional<RepairRecord> update(
      StripeKey stripe, UnaryOperator<RepairRecord> change) {
    Optional<RepairRecord> changed = find(stripe).map(change);
    changed.ifPresent(this::put);
    return changed;
  }

  /** The stripe is whole again, or is no more. */
  public synchronized void remove(StripeKey stripe) {
    store.remove(Tables.REPAIRS, stripe);
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
}
