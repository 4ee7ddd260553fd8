// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.recency.rocksdb.TableStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The replicas that scrubs found bad, by stripe. */
public final class RottenReplicas {
  private final TableStore store;

  RottenReplicas(TableStore store) {
    this.store = store;
  }

  /** Those of a stripe; nearly always none. */
  public List<ReplicaFault> of(StripeKey stripe) {
    return store.get(Tables.ROTTEN, stripe).orElse(List.of());
  }

  /** Returns the number of bad replicas on each node that has any, by uuids of nodes. */
  public Map<String, Long> byNode() {
    Map<String, Long> nodes = new HashMap<>();
    store.ascend(
        Tables.ROTTEN,
        Optional.empty(),
        (stripe, faults) -> {
          faults.forEach(fault -> nodes.merge(fault.node(), 1L, Long::sum));
          return true;
        });
    return nodes;
  }

  /** Changes what is known of a stripe, undisturbed by others. */
  public synchronized void update(StripeKey stripe, UnaryOperator<List<ReplicaFault>> change) {
    List<ReplicaFault> known = of(stripe);
    List<ReplicaFault> changed = change.apply(known);
    if (changed.isEmpty()) {
      if (!known.isEmpty()) {
        store.remove(Tables.ROTTEN, stripe);
      }
    } else if (!changed.equals(known)) {
      store.put(Tables.ROTTEN, stripe, changed);
    }
  }

  /** Forgets a parity file that no longer exists. */
  public synchronized void forget(long parityInode) {
    store.removeRange(
        Tables.ROTTEN, new StripeKey(parityInode, 0), new StripeKey(parityInode + 1, 0));
  }
}
