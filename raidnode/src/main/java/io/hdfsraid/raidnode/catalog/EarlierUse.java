package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.policies.AccessRate;
import java.util.Optional;

/**
 * How often raided files had been opened by the time that they were raided, by inode id. Nobody was
 * wrong to raid them because of that. Safe for concurrent use.
 */
public final class EarlierUse {
  private final Store store;

  EarlierUse(Store store) {
    this.store = store;
  }

  public void put(long inode, AccessRate rate) {
    store.put(Tables.EARLIER_USE, inode, rate);
  }

  /** Empty where nobody looked when the file was raided. */
  public Optional<AccessRate> of(long inode) {
    return store.get(Tables.EARLIER_USE, inode);
  }

  public void forget(long inode) {
    store.remove(Tables.EARLIER_USE, inode);
  }
}
