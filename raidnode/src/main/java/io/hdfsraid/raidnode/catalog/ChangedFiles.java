// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.recency.rocksdb.Table;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Stores which raided files users have changed since the daemon last looked at them, by inode id,
 * with the time from which they are to be looked at.
 */
public final class ChangedFiles {
  /** No file is put off for longer. */
  public static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final TableStore store;
  private final Table<Long, Instant> table;

  ChangedFiles(TableStore store, Table<Long, Instant> table) {
    this.store = store;
    this.table = table;
  }

  /** Adds files, or sets their time. */
  public synchronized void put(Collection<Long> inodes, Instant from) {
    TableStore.Changes changes = store.changes();
    inodes.forEach(inode -> changes.put(table, inode, from));
    changes.commit();
  }

  /** Removes files whose time is still the given one: they were not changed again meanwhile. */
  public synchronized void remove(Map<Long, Instant> looked) {
    TableStore.Changes changes = store.changes();
    looked.forEach(
        (inode, from) -> {
          if (store.get(table, inode).equals(Optional.of(from))) {
            changes.remove(table, inode);
          }
        });
    changes.commit();
  }

  /** Returns up to {@code limit} files whose time has come, by inode id, with their times. */
  public Map<Long, Instant> due(Instant now, int limit) {
    Map<Long, Instant> due = new LinkedHashMap<>();
    store.ascend(
        table,
        Optional.empty(),
        (inode, from) -> {
          // A time further away than any pause comes from a clock that was set back since.
          if (!from.isAfter(now) || from.isAfter(now.plus(LONGEST_PAUSE))) {
            due.put(inode, from);
          }
          return due.size() < limit;
        });
    return due;
  }
}
