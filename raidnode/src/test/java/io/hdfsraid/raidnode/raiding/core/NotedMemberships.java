// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import io.hdfsraid.drfs.parity.GroupId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Memberships in memory; a test can lose them, as a daemon its catalog. */
public final class NotedMemberships implements Memberships {
  private final Map<Long, GroupId> groups = new TreeMap<>();

  @Override
  public synchronized Optional<GroupId> groupOf(long inode) {
    return Optional.ofNullable(groups.get(inode));
  }

  @Override
  public synchronized List<Long> membersOf(GroupId group) {
    return groups.entrySet().stream()
        .filter(entry -> entry.getValue().equals(group))
        .map(Map.Entry::getKey)
        .toList();
  }

  @Override
  public synchronized void joined(GroupId group, Collection<Long> members) {
    members.forEach(inode -> groups.put(inode, group));
  }

  @Override
  public synchronized void left(GroupId group, Collection<Long> members) {
    members.forEach(inode -> groups.remove(inode, group));
  }

  public synchronized void forgetEverything() {
    groups.clear();
  }
}
