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
 * Who may read a parity file, decided from who may read its source: parity of a one-block stripe is
 * the data. The daemon owns the parity, so nobody can forge it; the source's owner becomes a named
 * user. A class that could not certainly pass every directory above the source gets nothing, and
 * its entry stays as a denial, so that it does not fall into a wider class.
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
  /** As many as HDFS allows, the four unnamed ones included. */
  private static final int MAX_NAMED = 28;

  /** Readable by the daemon alone. */
  static ParityAccess daemonOnly(String group) {
    return new ParityAccess(Map.of(), group, NONE, Map.of(), NONE);
  }

  /**
   * @param daemon the user that owns the parity
   * @param ancestors every directory above the source
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

  /** The same without names where they make no difference, or without rights where they fill up. */
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

  /** As an ACL, with no more entries than are needed. */
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

  /** Without an ACL, where HDFS has them switched off; nothing when that would be wider. */
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
