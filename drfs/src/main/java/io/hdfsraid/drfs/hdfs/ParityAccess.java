// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import static org.apache.hadoop.fs.permission.FsAction.EXECUTE;
import static org.apache.hadoop.fs.permission.FsAction.NONE;
import static org.apache.hadoop.fs.permission.FsAction.READ;
import static org.apache.hadoop.fs.permission.FsAction.READ_WRITE;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclEntryScope;
import org.apache.hadoop.fs.permission.AclEntryType;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The access rights of a parity file, derived from those of its source, because parity of a
 * one-block stripe equals the data. The daemon owns the parity, so nobody can forge it, and the
 * owner of the source becomes a named user. A user or group that cannot with certainty traverse
 * every directory above the source gets no access. Its entry remains as a denial, so that it does
 * not fall into a wider class.
 *
 * @param group the group of the parity file
 * @param users named users
 * @param groups named groups
 */
record ParityAccess(
    Map<String, FsAction> users,
    String group,
    FsAction groupMay,
    Map<String, FsAction> groups,
    FsAction othersMay) {
  /** The number of named entries that HDFS allows beside the four unnamed ones. */
  private static final int MAX_NAMED = 28;

  /** Returns rights for the daemon only. */
  static ParityAccess daemonOnly(String group) {
    return new ParityAccess(Map.of(), group, NONE, Map.of(), NONE);
  }

  /**
   * @param daemon the user that owns the parity
   * @param ancestors all directories above the source
   */
  static ParityAccess of(String daemon, PathAccess source, List<PathAccess> ancestors) {
    Map<String, FsAction> users = new TreeMap<>();
    source
        .users()
        .forEach((user, may) -> users.put(user, readIf(may, passesAsUser(user, ancestors))));
    String owner = source.owner();
    users.put(owner, readIf(source.ownerMay(), passesAsUser(owner, ancestors)));
    users.remove(daemon);

    Map<String, FsAction> groups = new TreeMap<>();
    source
        .groups()
        .forEach((group, may) -> groups.put(group, readIf(may, passAsMembers(group, ancestors))));
    ParityAccess access =
        new ParityAccess(
            users,
            source.group(),
            readIf(source.groupMay(), passAsMembers(source.group(), ancestors)),
            groups,
            readIf(
                source.othersMay(),
                ancestors.stream().allMatch(ancestor -> ancestor.everybody(EXECUTE))));
    return access.simplest();
  }

  private static FsAction readIf(FsAction may, boolean passes) {
    return passes && may.implies(READ) ? READ : NONE;
  }

  private static boolean passesAsUser(String user, List<PathAccess> ancestors) {
    return ancestors.stream().allMatch(ancestor -> ancestor.user(user, EXECUTE));
  }

  private static boolean passAsMembers(String group, List<PathAccess> ancestors) {
    return ancestors.stream().allMatch(ancestor -> ancestor.everyMember(group, EXECUTE));
  }

  /**
   * Simplifies the rights: drops names that make no difference, and drops all rights if there are
   * too many names.
   */
  private ParityAccess simplest() {
    if (users.size() + groups.size() > MAX_NAMED || nobody()) {
      return daemonOnly(group);
    }
    return everybody() ? new ParityAccess(Map.of(), group, READ, Map.of(), READ) : this;
  }

  private boolean nobody() {
    return groupMay == NONE
        && othersMay == NONE
        && users.values().stream().allMatch(NONE::equals)
        && groups.values().stream().allMatch(NONE::equals);
  }

  private boolean everybody() {
    return groupMay == READ && othersMay == READ && noNameIsDenied();
  }

  private boolean noNameIsDenied() {
    return users.values().stream().allMatch(READ::equals)
        && groups.values().stream().allMatch(READ::equals);
  }

  /** Returns the rights as an ACL with as few entries as possible. */
  List<AclEntry> acl() {
    List<AclEntry> entries = new ArrayList<>();
    entries.add(entry(AclEntryType.USER, null, READ_WRITE));
    users.forEach((user, may) -> entries.add(entry(AclEntryType.USER, user, may)));
    entries.add(entry(AclEntryType.GROUP, null, groupMay));
    groups.forEach((name, may) -> entries.add(entry(AclEntryType.GROUP, name, may)));
    if (!users.isEmpty() || !groups.isEmpty()) {
      entries.add(entry(AclEntryType.MASK, null, READ));
    }
    entries.add(entry(AclEntryType.OTHER, null, othersMay));
    return entries;
  }

  /** Returns the rights as a mode, for an HDFS without ACLs; empty if a mode would grant more. */
  Optional<FsPermission> mode() {
    return noNameIsDenied()
        ? Optional.of(new FsPermission(READ_WRITE, groupMay, othersMay))
        : Optional.empty();
  }

  private static AclEntry entry(AclEntryType type, String name, FsAction may) {
    return new AclEntry.Builder()
        .setScope(AclEntryScope.ACCESS)
        .setType(type)
        .setName(name)
        .setPermission(may)
        .build();
  }
}
