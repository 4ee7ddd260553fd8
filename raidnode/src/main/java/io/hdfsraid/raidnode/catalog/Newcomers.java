package io.hdfsraid.raidnode.catalog;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Files that the catalog has come to know one by one since the last census met them, which has
 * counted them among all others: they must not be counted twice. In memory as well. Safe for
 * concurrent use.
 */
public final class Newcomers {
  private final Store store;
  private final Map<Long, Total> files = new HashMap<>();
  private Total sum = Total.none(FileStatus.CANDIDATE, Optional.empty());

  Newcomers(Store store) {
    this.store = store;
    store.ascend(
        Tables.NEWCOMERS,
        Optional.empty(),
        (inode, total) -> {
          remember(inode, total);
          return true;
        });
  }

  /** Of what has parity when it becomes known, no census has told: it was found on HDFS. */
  synchronized void joins(FileRecord file) {
    if (file.parity().isEmpty()) {
      Total total = Total.of(file);
      store.put(Tables.NEWCOMERS, file.inode(), total);
      remember(file.inode(), total);
    }
  }

  /** It is no longer known, or a census has not counted it any more. */
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

  /** A census is over that knew these one by one already. */
  public void settle(Collection<Long> inodes) {
    inodes.forEach(this::leaves);
  }

  /** What a census has counted, but for these; they were candidates then, as a rule. */
  synchronized Total without(Total counted) {
    return counted.status() == FileStatus.CANDIDATE ? counted.lessAtMost(sum) : counted;
  }
}
