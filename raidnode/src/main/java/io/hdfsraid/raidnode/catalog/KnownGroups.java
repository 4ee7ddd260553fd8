// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.recency.rocksdb.TableStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Stores the group of each member, by inode id of the member. */
public final class KnownGroups {
  private final TableStore store;

  KnownGroups(TableStore store) {
    this.store = store;
  }

  /** The number of the group that a file belongs to. */
  public Optional<Long> groupOf(long inode) {
    return store.get(Tables.GROUPS, inode);
  }

  /** Looks through all files of all groups: for the rare case that a group cannot be asked. */
  public List<Long> membersOf(long group) {
    List<Long> members = new ArrayList<>();
    store.ascend(
        Tables.GROUPS,
        Optional.empty(),
        (inode, known) -> {
          if (known == group) {
            members.add(inode);
          }
          return true;
        });
    return members;
  }

  /** From now on these files belong to this group; all of them together. */
  public synchronized void put(long group, Collection<Long> inodes) {
    TableStore.Changes changes = store.changes();
    boolean news = false;
    for (long inode : inodes) {
      if (!groupOf(inode).equals(Optional.of(group))) {
        changes.put(Tables.GROUPS, inode, group);
        news = true;
      }
    }
    if (news) {
      changes.commit();
    }
  }

  /** These files do not belong to this group; those that belong to another one are left. */
  public synchronized void remove(long group, Collection<Long> inodes) {
    TableStore.Changes changes = store.changes();
    for (long inode : inodes) {
      if (groupOf(inode).equals(Optional.of(group))) {
        changes.remove(Tables.GROUPS, inode);
      }
    }
    changes.commit();
  }
}
