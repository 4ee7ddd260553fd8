// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Files that got a record in the catalog after the last evaluation counted them among all other
 * files. They must not be counted twice. Also kept in memory. Safe for concurrent use.
 */
public final class Newcomers {
  private final TableStore store;
  private final Map<Long, Total> files = new HashMap<>();
  private Total sum = Total.none(FileState.CANDIDATE, Optional.empty());

  Newcomers(TableStore store) {
    this.store = store;
    store.ascend(
        Tables.NEWCOMERS,
        Optional.empty(),
        (inode, total) -> {
          remember(inode, total);
          return true;
        });
  }

  /** Of what has parity when it becomes known, no evaluation has told: it was found on HDFS. */
  synchronized void joins(FileRecord file) {
    if (file.parity().isEmpty()) {
      Total total = Total.of(file);
      store.put(Tables.NEWCOMERS, file.inode(), total);
      remember(file.inode(), total);
    }
  }

  /** It is no longer known, or an evaluation has not counted it any more. */
  synchronized void leaves(long inode) {
    Total total = files.remove(inode);
    if (total != null) {
      sum = sum.plus(-1, total);
      store.remove(Tables.NEWCOMERS, inode);
    }
  }

  private void remember(long inode, Total total) {
    Total before = files.put(inode, total);
    sum = (before == null ? sum : sum.plus(-1, before)).plus(1, total);
  }

  public synchronized boolean contains(long inode) {
    return files.containsKey(inode);
  }

  /** Returns what the evaluation counted of each file, by inode id. */
  public synchronized Map<Long, Total> all() {
    return Map.copyOf(files);
  }

  /** An evaluation is over that knew these one by one already. */
  public void settle(Collection<Long> inodes) {
    inodes.forEach(this::leaves);
  }

  /** What an evaluation has counted, but for these; they were candidates then, as a rule. */
  synchronized Total without(Total counted) {
    return counted.state() == FileState.CANDIDATE ? counted.lessAtMost(sum) : counted;
  }
}
