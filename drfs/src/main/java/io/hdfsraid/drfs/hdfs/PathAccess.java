// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The permissions on a file or directory, with masks applied. Group memberships are not known here,
 * so a question is answered with yes only if the answer does not depend on them.
 *
 * @param users named users
 * @param groups named groups
 */
record PathAccess(
    String owner,
    FsAction ownerMay,
    Map<String, FsAction> users,
    String group,
    FsAction groupMay,
    Map<String, FsAction> groups,
    FsAction othersMay) {

  /** Returns the permissions on a path without an ACL. */
  static PathAccess of(HdfsFileStatus status) {
    return new PathAccess(
        status.getOwner(),
        status.getPermission().getUserAction(),
        Map.of(),
        status.getGroup(),
        status.getPermission().getGroupAction(),
        Map.of(),
        status.getPermission().getOtherAction());
  }

  static PathAccess of(AclStatus acl) {
    Map<String, FsAction> users = new TreeMap<>();
    Map<String, FsAction> groups = new TreeMap<>();
    FsAction groupMay = acl.getPermission().getGroupAction();
    for (AclEntry entry : acl.getEntries()) {
      if (entry.getScope() != AclEntryScope.ACCESS) {
        continue;
      }
      FsAction may = acl.getEffectivePermission(entry);
      switch (entry.getType()) {
        case USER -> users.put(entry.getName(), may);
        case GROUP -> {
          if (entry.getName() == null) {
            groupMay = may;
          } else {
            groups.put(entry.getName(), may);
          }
        }
        default -> {}
      }
    }
    return new PathAccess(
        acl.getOwner(),
        acl.getPermission().getUserAction(),
        users,
        acl.getGroup(),
        groupMay,
        groups,
        acl.getPermission().getOtherAction());
  }

  boolean user(String user, FsAction action) {
    if (user.equals(owner)) {
      return ownerMay.implies(action);
    }
    FsAction named = users.get(user);
    return named == null ? anyGroupAndOthers(action) : named.implies(action);
  }

  /** Whether every member of the group has the permission, whatever its other groups. */
  boolean everyMember(String of, FsAction action) {
    return ownerAndUsers(action)
        && ((of.equals(group) && groupMay.implies(action))
            || groups.getOrDefault(of, FsAction.NONE).implies(action)
            || anyGroupAndOthers(action));
  }

  boolean everybody(FsAction action) {
    return ownerAndUsers(action) && anyGroupAndOthers(action);
  }

  private boolean ownerAndUsers(FsAction action) {
    return ownerMay.implies(action) && users.values().stream().allMatch(may -> may.implies(action));
  }

  private boolean anyGroupAndOthers(FsAction action) {
    return groupMay.implies(action)
        && groups.values().stream().allMatch(may -> may.implies(action))
        && othersMay.implies(action);
  }
}
