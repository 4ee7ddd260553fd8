// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.hdfs.RealHdfs;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users who may read a file read it through losses; nobody else reads it or its parity. */
class ReaderRightsTest extends RaidedFiles {
  private static final List<UserGroupInformation> USERS =
      List.of(
          UserGroupInformation.createUserForTesting("bob", new String[] {"bobs"}),
          UserGroupInformation.createUserForTesting("carol", new String[] {"bobs"}),
          UserGroupInformation.createUserForTesting("dave", new String[] {"daves"}),
          UserGroupInformation.createUserForTesting("alice", new String[] {"alices"}));

  ReaderRightsTest(EmbeddedHdfs hdfs) {
    super(RealHdfs.BLOCK, hdfs);
  }

  /** An ACL of a directory that names users lets fewer read on: see docs/reader-limits.md. */
  @ParameterizedTest(name = "{0} {1} in {2} {3}: {4}, {5}")
  @CsvSource(
      textBlock =
          """
          644,                         , 755,              , bob carol dave alice, bob carol dave alice
          640,                         , 755,              , bob carol,            bob carol
          600,                         , 755,              , bob,                  bob
          604,                         , 755,              , bob dave alice,       bob dave alice
          044,                         , 755,              , carol dave alice,     carol dave alice
          644,                         , 750,              , bob carol,            bob carol
          644,                         , 700,              , bob,                  bob
          644,                         , 710,              , bob carol,            bob carol
          640, user:dave:r--           , 755,              , bob carol dave,       bob carol dave
          640, group:daves:r--         , 755,              , bob carol dave,       bob carol dave
          600, 'user:dave:r--,mask::---', 755,             , bob,                  bob
          644, user:alice:---          , 755,              , bob carol dave,       bob carol dave
          644, group:alices:---        , 755,              , bob carol dave,       bob carol dave
          640, user:dave:r--           , 700, user:dave:--x, bob dave,             bob dave
          644,                         , 700, user:dave:--x, bob dave,             bob
          644,                         , 755, user:dave:---, bob carol alice,      bob
          600, user:alice:r--          , 750, user:dave:--x, bob,                  bob
          """)
  void whoMayReadTheFileReadsThroughItsLossesAndNobodyElse(
      String mode,
      String acl,
      String directoryMode,
      String directoryAcl,
      String readers,
      String readersThroughLosses)
      throws Exception {
    Path file = raided("/files/theirs/f");
    protect(file, mode, acl);
    protect(file.getParent(), directoryMode, directoryAcl);
    long inode = namespace.file(file.toString()).orElseThrow().inode();
    raider.store().refreshAccess(inode);
    Path parity = new Path(raider.store().find(inode).orElseThrow().file().path());
    Map<String, Boolean> before = new HashMap<>();
    for (UserGroupInformation user : USERS) {
      before.put(user.getShortUserName(), mayRead(user, file));
    }
    lose(file, 1);

    List<String> may = new ArrayList<>();
    List<String> throughLosses = List.of(readersThroughLosses.split(" "));
    for (UserGroupInformation user : USERS) {
      if (before.get(user.getShortUserName())) {
        may.add(user.getShortUserName());
      }
      if (throughLosses.contains(user.getShortUserName())) {
        assertThat(read(user, file)).as("%s", user).isEqualTo(bytes);
      } else if (before.get(user.getShortUserName())) {
        assertThatThrownBy(() -> read(user, file))
            .as("%s", user)
            .isInstanceOf(BlockMissingException.class)
            .satisfies(
                e ->
                    assertThat(e.getSuppressed())
                        .hasAtLeastOneElementOfType(AccessControlException.class));
      } else {
        assertThatThrownBy(() -> read(user, file))
            .as("%s", user)
            .isInstanceOf(AccessControlException.class);
        assertThat(mayRead(user, parity)).as("the parity, by %s", user).isFalse();
      }
    }
    assertThat(may).as("who may read, as HDFS has it").containsExactly(readers.split(" "));
  }

  private void protect(Path path, String mode, String acl) throws IOException {
    plain.setOwner(path, "bob", "bobs");
    plain.setPermission(path, new FsPermission(mode));
    if (acl != null) {
      boolean withPermissions = true;
      plain.modifyAclEntries(path, AclEntry.parseAclSpec(acl, withPermissions));
    }
  }

  /** Opens the file by a plain client. */
  private boolean mayRead(UserGroupInformation user, Path file) throws Exception {
    return user.doAs(
        (java.security.PrivilegedExceptionAction<Boolean>)
            () -> {
              try (FileSystem theirs = FileSystem.newInstance(hdfs.uri(), hdfs.configuration());
                  FSDataInputStream in = theirs.open(file)) {
                return in.available() > 0;
              } catch (AccessControlException e) {
                return false;
              }
            });
  }

  private byte[] read(UserGroupInformation user, Path file) throws Exception {
    return user.doAs(
        (java.security.PrivilegedExceptionAction<byte[]>)
            () -> {
              try (FileSystem theirs = drfs();
                  FSDataInputStream in = theirs.open(file)) {
                return in.readAllBytes();
              }
            });
  }
}
