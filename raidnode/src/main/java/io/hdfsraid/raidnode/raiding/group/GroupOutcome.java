// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import java.util.Map;
import java.util.TreeMap;

/**
 * The result of working on a group.
 *
 * @param members the outcome of each member, by inode id; empty if there is no such group
 */
public record GroupOutcome(GroupId group, Map<Long, RaidOutcome> members) {
  public GroupOutcome {
    members = Map.copyOf(members);
  }

  static GroupOutcome none(GroupId group) {
    return new GroupOutcome(group, Map.of());
  }

  /** This one, and for the files it does not speak of, or not finally, another one. */
  GroupOutcome or(Map<Long, RaidOutcome> others) {
    Map<Long, RaidOutcome> all = new TreeMap<>(others);
    all.putAll(members);
    return new GroupOutcome(group, all);
  }

  /** With more to say of each member. */
  GroupOutcome adding(String more) {
    Map<Long, RaidOutcome> all = new TreeMap<>();
    members.forEach((inode, outcome) -> all.put(inode, outcome.adding(more)));
    return new GroupOutcome(group, all);
  }

  /** Returns whether every member has this state; false if there is no member. */
  public boolean isAt(FileState state) {
    return !members.isEmpty()
        && members.values().stream().allMatch(outcome -> outcome.state() == state);
  }
}
