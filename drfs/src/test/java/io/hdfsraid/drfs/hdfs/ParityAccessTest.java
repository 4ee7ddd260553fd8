// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;

class ParityAccessTest {
  private static final PathAccess OPEN = path("hdfs", "supergroup", 0755);

  private static PathAccess path(String owner, String group, int mode, String... acl) {
    return PathAccess.of(
        new AclStatus.Builder()
            .owner(owner)
            .group(group)
            .setPermission(new FsPermission((short) mode))
            .addEntries(AclEntry.parseAclSpec(String.join(",", acl), true))
            .build());
  }

  private static PathAccess path(String owner, String group, int mode) {
    FsPermission permission = new FsPermission((short) mode);
    return new PathAccess(
        owner,
        permission.getUserAction(),
        Map.of(),
        group,
        permission.getGroupAction(),
        Map.of(),
        permission.getOtherAction());
  }

  private static String parity(PathAccess source, PathAccess... ancestors) {
    return parity("raid", source, ancestors);
  }

  private static String parity(String daemon, PathAccess source, PathAccess... ancestors) {
    ParityAccess access = ParityAccess.of(daemon, source, List.of(ancestors));
    return AclEntry.aclSpecToString(access.acl()) + " " + access.group();
  }

  @Test
  void aWorldReadableFileNeedsNoAcl() {
    assertThat(parity(path("bob", "staff", 0644), OPEN))
        .isEqualTo("user::rw-,group::r--,other::r-- staff");
  }

  @Test
  void theOwnerOfTheSourceBecomesANamedUser() {
    assertThat(parity(path("bob", "staff", 0640), OPEN))
        .isEqualTo("user::rw-,user:bob:r--,group::r--,mask::r--,other::--- staff");
    assertThat(parity(path("bob", "staff", 0600), OPEN))
        .isEqualTo("user::rw-,user:bob:r--,group::---,mask::r--,other::--- staff");
    assertThat(parity("bob", path("bob", "staff", 0600), OPEN))
        .as("the daemon's own file")
        .isEqualTo("user::rw-,group::---,other::--- staff");
  }

  @Test
  void onlyReadingIsInherited() {
    assertThat(parity(path("bob", "staff", 0777), OPEN))
        .isEqualTo("user::rw-,group::r--,other::r-- staff");
    assertThat(parity(path("bob", "staff", 0333), OPEN))
        .isEqualTo("user::rw-,group::---,other::--- staff");
  }

  @Test
  void aDenialStaysOneSoThatNobodyFallsIntoAWiderClass() {
    assertThat(parity(path("bob", "staff", 0604), OPEN))
        .isEqualTo("user::rw-,user:bob:r--,group::---,mask::r--,other::r-- staff");
    assertThat(parity(path("bob", "staff", 0044), OPEN))
        .isEqualTo("user::rw-,user:bob:---,group::r--,mask::r--,other::r-- staff");
  }

  @Test
  void namedEntriesAreInheritedWithTheirMask() {
    PathAccess source =
        path("bob", "staff", 0660, "user:eve:rwx", "user:dan:-w-", "group:eng:r-x", "group::rw-");
    assertThat(parity(source, OPEN))
        .isEqualTo(
            "user::rw-,user:bob:r--,user:dan:---,user:eve:r--,group::r--,group:eng:r--,mask::r--,other::--- staff");
    PathAccess masked = path("bob", "staff", 0620, "user:eve:rwx", "group::rw-");
    assertThat(parity(masked, OPEN))
        .isEqualTo("user::rw-,user:bob:r--,user:eve:---,group::---,mask::r--,other::--- staff");
  }

  @Test
  void whoCannotPassADirectoryAboveGetsNothing() {
    PathAccess source = path("bob", "staff", 0644);
    assertThat(parity(source, path("bob", "staff", 0700), OPEN))
        .as("the owner's private directory")
        .isEqualTo("user::rw-,user:bob:r--,group::---,mask::r--,other::--- staff");
    assertThat(parity(source, path("eve", "eves", 0700), OPEN))
        .as("somebody else's private directory")
        .isEqualTo("user::rw-,group::---,other::--- staff");
    assertThat(parity(source, path("hdfs", "staff", 0750), OPEN))
        .as("a directory of the same group: the owner may not be in it")
        .isEqualTo("user::rw-,user:bob:---,group::r--,mask::r--,other::--- staff");
    assertThat(parity(source, path("hdfs", "eng", 0750), OPEN))
        .as("a directory of another group")
        .isEqualTo("user::rw-,group::---,other::--- staff");
    assertThat(parity(source, path("hdfs", "eng", 0701), OPEN))
        .as("a directory whose group is shut out: others may be in it")
        .isEqualTo("user::rw-,group::---,other::--- staff");
    assertThat(parity(source, path("hdfs", "supergroup", 0744), OPEN))
        .as("readable is not enough")
        .isEqualTo("user::rw-,group::---,other::--- staff");
  }

  @Test
  void anAclOfADirectoryAboveCounts() {
    PathAccess source = path("bob", "staff", 0640);
    assertThat(parity(source, path("hdfs", "hadoop", 0750, "group:staff:r-x", "group::r-x"), OPEN))
        .isEqualTo("user::rw-,user:bob:---,group::r--,mask::r--,other::--- staff");
    assertThat(parity(source, path("hdfs", "hadoop", 0750, "user:bob:--x", "group::---"), OPEN))
        .isEqualTo("user::rw-,user:bob:r--,group::---,mask::r--,other::--- staff");
    assertThat(parity(source, path("hdfs", "hadoop", 0755, "user:eve:---", "group::r-x"), OPEN))
        .as("eve may be of the staff")
        .isEqualTo("user::rw-,user:bob:r--,group::---,mask::r--,other::--- staff");
    assertThat(parity(source, path("hdfs", "hadoop", 0705, "user:bob:--x", "group::--x"), OPEN))
        .as("masked")
        .isEqualTo("user::rw-,group::---,other::--- staff");
  }

  @Test
  void moreNamesThanAnAclHoldsLeaveTheDaemonAlone() {
    String[] names = new String[28];
    for (int i = 0; i < names.length; i++) {
      names[i] = "user:u%d:r--".formatted(i);
    }
    assertThat(parity(path("bob", "staff", 0640, names), OPEN))
        .isEqualTo("user::rw-,group::---,other::--- staff");
  }

  @Test
  void withoutAclsOnlyWhatAModeSaysExactlyOrNarrowerIsGiven() {
    assertThat(mode(path("bob", "staff", 0644))).isEqualTo("rw-r--r--");
    assertThat(mode(path("bob", "staff", 0640))).isEqualTo("rw-r-----");
    assertThat(mode(path("bob", "staff", 0600))).isEqualTo("rw-------");
    assertThat(mode(path("bob", "staff", 0044)))
        .as("bob would be one of the others")
        .isEqualTo("none");
  }

  private static String mode(PathAccess source) {
    return ParityAccess.of("raid", source, List.of(OPEN))
        .mode()
        .map(FsPermission::toString)
        .orElse("none");
  }

  @Test
  void readingIsNotExecuting() {
    assertThat(OPEN.everybody(FsAction.EXECUTE)).isTrue();
    assertThat(OPEN.everybody(FsAction.WRITE)).isFalse();
  }
}
