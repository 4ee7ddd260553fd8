package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.policies.AccessLooks;
import java.util.Optional;

/**
 * How often raided files had been opened by the time that they were raided, and at a few moments
 * since, by inode id: by what came later it is told whether it was wrong to raid them. Safe for
 * concurrent use.
 */
public final class EarlierUse {
  private final Store store;

  EarlierUse(Store store) {
    this.store = store;
  }

  public void put(long inode, AccessLooks looks) {
    store.put(Tables.EARLIER_USE, inode, looks);
  }

  /** Empty where nobody looked when the file was raided. */
  public Optional<AccessLooks> of(long inode) {
    return store.get(Tables.EARLIER_USE, inode);
  }

  public void forget(long inode) {
    store.remove(Tables.EARLIER_USE, inode);
  }
}
