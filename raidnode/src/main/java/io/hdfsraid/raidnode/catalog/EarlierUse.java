// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.policies.AccessSamples;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.util.Optional;

/**
 * Stores how often each raided file had been opened when it was raided and at a few times since, by
 * inode id. Later counts show whether raiding the file was wrong. Safe for concurrent use.
 */
public final class EarlierUse {
  private final TableStore store;

  EarlierUse(TableStore store) {
    this.store = store;
  }

  public void put(long inode, AccessSamples looks) {
    store.put(Tables.EARLIER_USE, inode, looks);
  }

  /** Returns the use of a file before it was raided; empty if it was not recorded then. */
  public Optional<AccessSamples> of(long inode) {
    return store.get(Tables.EARLIER_USE, inode);
  }

  public void forget(long inode) {
    store.remove(Tables.EARLIER_USE, inode);
  }
}
