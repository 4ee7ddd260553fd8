// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;

/**
 * The files that were reheated, and when. They are not raided again for a while. Also kept in
 * memory, because each judged file is looked up. Safe for concurrent use.
 */
public final class Reheats {
  private final TableStore store;
  private final Map<Long, Instant> known = new ConcurrentHashMap<>();

  Reheats(TableStore store) {
    this.store = store;
    store.ascend(
        Tables.REHEATS,
        Optional.empty(),
        (inode, at) -> {
          known.put(inode, at);
          return true;
        });
  }

  public void put(long inode, Instant at) {
    store.put(Tables.REHEATS, inode, at);
    known.put(inode, at);
  }

  public Optional<Instant> of(long inode) {
    return Optional.ofNullable(known.get(inode));
  }

  /** Forgets those from before then. */
  public void forgetBefore(Instant time) {
    known.forEach(
        (inode, at) -> {
          if (at.isBefore(time) && known.remove(inode, at)) {
            store.remove(Tables.REHEATS, inode);
          }
        });
  }

  /** Forgets those of files that are gone. */
  public void retain(LongPredicate stillThere) {
    known
        .keySet()
        .forEach(
            inode -> {
              if (!stillThere.test(inode)) {
                known.remove(inode);
                store.remove(Tables.REHEATS, inode);
              }
            });
  }

  /** The facts, with this one. */
  public FileFacts complete(FileFacts facts) {
    Instant at = known.get(facts.inodeId());
    return at == null ? facts : facts.withReheat(at);
  }
}
