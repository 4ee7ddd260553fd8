package io.hdfsraid.raidnode.raid;

import io.hdfsraid.drfs.parity.GroupId;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came of working on a group.
 *
 * @param members what came of each member, by inode id; none when there is no such group
 */
public record GroupOutcome(GroupId group, Map<Long, Outcome> members) {
  public GroupOutcome {
    members = Map.copyOf(members);
  }

  static GroupOutcome none(GroupId group) {
    return new GroupOutcome(group, Map.of());
  }

  /** This one, and for the files it does not speak of, or not finally, another one. */
  GroupOutcome or(Map<Long, Outcome> others) {
    Map<Long, Outcome> all = new TreeMap<>(others);
    all.putAll(members);
    return new GroupOutcome(group, all);
  }

  /** Whether every member stands at this stage; false when there is none. */
  public boolean isAt(Stage stage) {
    return !members.isEmpty()
        && members.values().stream().allMatch(outcome -> outcome.stage() == stage);
  }
}
