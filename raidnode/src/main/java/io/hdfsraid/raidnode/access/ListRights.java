// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.access;

import java.util.Map;

/**
 * Says who may list a directory of HDFS and what is in it: read and execute, with the mask of an
 * ACL applied.
 *
 * @param users named users
 * @param groups the group of the directory, and named groups
 */
public record ListRights(
    String owner,
    boolean ownerMay,
    Map<String, Boolean> users,
    Map<String, Boolean> groups,
    boolean othersMay) {
  public ListRights {
    users = Map.copyOf(users);
    groups = Map.copyOf(groups);
  }

  /**
   * Returns whether a user may. HDFS decides in the same order: the first class that a user belongs
   * to decides, but a user in several groups needs the right from one of them only.
   */
  boolean allow(HdfsUser user) {
    if (user.name().isEmpty()) {
      return othersMay;
    }
    String name = user.name().get();
    if (name.equals(owner)) {
      return ownerMay;
    }
    if (users.containsKey(name)) {
      return users.get(name);
    }
    boolean member = false;
    for (Map.Entry<String, Boolean> group : groups.entrySet()) {
      if (user.groups().contains(group.getKey())) {
        member = true;
        if (group.getValue()) {
          return true;
        }
      }
    }
    return !member && othersMay;
  }
}
