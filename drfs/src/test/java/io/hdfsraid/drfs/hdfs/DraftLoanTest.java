// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.parity.DraftLoan;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.RowLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Another user of the cluster writes units into a draft, for as long as it is lent. */
@ExtendWith(RealHdfs.class)
class DraftLoanTest {
  private static final String ROOT = "/lending";
  private static final long INODE = 4711;
  private static final int LENGTH = 1000;

  private final EmbeddedHdfs hdfs;
  private final DistributedFileSystem fs;
  private final UserGroupInformation borrower = UserGroupInformation.createRemoteUser("borrower");
  private final UserGroupInformation other = UserGroupInformation.createRemoteUser("other");
  private HdfsParityStore store;

  DraftLoanTest(EmbeddedHdfs hdfs) {
    this.hdfs = hdfs;
    this.fs = hdfs.fileSystem();
  }

  @BeforeEach
  void openStore() throws IOException {
    fs.delete(new Path(ROOT), true);
    store = open();
    store.prepare();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private HdfsParityStore open() throws IOException {
    return HdfsParityStore.open(
        hdfs.uri(),
        hdfs.configuration(),
        new ParitySettings(ROOT, ParitySettings.AccessRule.INHERIT));
  }

  private void write(UserGroupInformation user, String path, Optional<String> favoured)
      throws Exception {
    user.doAs(
        (PrivilegedExceptionAction<Boolean>)
            () -> {
              try (DistributedFileSystem own =
                      (DistributedFileSystem)
                          FileSystem.newInstance(hdfs.uri(), hdfs.configuration());
                  UnitOutput out = new UnitFiles(own).open(path, LENGTH, favoured)) {
                out.write(ByteBuffer.wrap(RealHdfs.bytes(1, LENGTH)));
                return true;
              }
            });
  }

  private int drafts() throws IOException {
    return fs.listStatus(new Path(ROOT, "tmp")).length;
  }

  @Test
  void theBorrowerWritesUnitsToFavouredNodesAndTheDaemonTakesThem() throws Exception {
    List<DataNode> nodes =
        new HdfsNamespace(fs).nodes().stream().map(NodeState::node).limit(2).toList();
    try (ParityDraft draft = store.draft(INODE)) {
      try (DraftLoan loan = draft.lend("borrower")) {
        write(borrower, loan.directory() + "/0-a", Optional.of(loan.address(nodes.get(0))));
        write(borrower, loan.directory() + "/1-b", Optional.of(loan.address(nodes.get(1))));
        write(borrower, loan.directory() + "/0-again", Optional.empty());
      }
      draft.take(0, "0-a", LENGTH);
      draft.take(1, "1-b", LENGTH);

      LocatedFile parity = draft.concat(2);

      assertThat(parity.blocks())
          .extracting(block -> block.live().stream().map(Replica::node).toList())
          .containsExactly(List.of(nodes.get(0)), List.of(nodes.get(1)));
      assertThat(fs.getFileStatus(new Path(parity.path())).getOwner())
          .as("owner of what becomes the parity")
          .isEqualTo(UserGroupInformation.getCurrentUser().getShortUserName());
    }
    assertThat(drafts()).isZero();
  }

  @Test
  void nobodyElseEntersALentDraftAndTheBorrowerNotAfterwards() throws Exception {
    try (ParityDraft draft = store.draft(INODE)) {
      DraftLoan loan = draft.lend("borrower");
      String path = loan.directory() + "/0-a";
      assertThatThrownBy(() -> write(other, path, Optional.empty()))
          .hasRootCauseInstanceOf(org.apache.hadoop.ipc.RemoteException.class)
          .hasMessageContaining("Permission denied");
      write(borrower, path, Optional.empty());

      loan.close();

      assertThatThrownBy(() -> write(borrower, loan.directory() + "/1-b", Optional.empty()))
          .isInstanceOf(AccessControlException.class);
      loan.close();
    }
  }

  @Test
  void whatWasLentWhenADaemonDiedIsSwept() throws Exception {
    String lent;
    try (HdfsParityStore dead = open()) {
      DraftLoan loan = dead.draft(INODE).lend("borrower");
      lent = loan.directory();
      write(borrower, lent + "/0-a", Optional.empty());
      DraftLoan workspace = dead.workspace("borrower");
      write(borrower, workspace.directory() + "/answers", Optional.empty());
    }
    assertThat(drafts()).isEqualTo(2);

    assertThat(store.sweepDrafts()).isEqualTo(2);

    assertThat(drafts()).isZero();
    assertThatThrownBy(() -> write(borrower, lent + "/1-b", Optional.empty()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aWorkspaceIsRemovedWithItsLoanAndIsNotSweptBefore() throws Exception {
    DraftLoan workspace = store.workspace("borrower");
    write(borrower, workspace.directory() + "/answers", Optional.empty());
    assertThat(store.sweepDrafts()).isZero();

    workspace.close();

    assertThat(drafts()).isZero();
  }

  @Test
  void whomTheBorrowerLetInIsShutOut() throws Exception {
    try (ParityDraft draft = store.draft(INODE)) {
      DraftLoan loan = draft.lend("borrower");
      borrower.doAs(
          (PrivilegedExceptionAction<Boolean>)
              () -> {
                try (FileSystem own = FileSystem.newInstance(hdfs.uri(), hdfs.configuration())) {
                  Path lent = new Path(loan.directory());
                  own.setPermission(lent, new FsPermission((short) 0777));
                  own.modifyAclEntries(lent, AclEntry.parseAclSpec("user:other:rwx", true));
                  return true;
                }
              });
      write(other, loan.directory() + "/0-a", Optional.empty());

      loan.close();

      for (UserGroupInformation user : List.of(other, borrower)) {
        assertThatThrownBy(() -> write(user, loan.directory() + "/1-b", Optional.empty()))
            .isInstanceOf(AccessControlException.class);
      }
    }
  }

  @Test
  void parityThatWasReplacedInItsDraftIsNotCommitted() throws Exception {
    fs.delete(new Path("/source"), true);
    RealHdfs.write(fs, "/source", 3, RealHdfs.BLOCK, RealHdfs.bytes(3, LENGTH));
    LocatedFile source = new HdfsNamespace(fs).file("/source").orElseThrow();
    Manifest manifest =
        new Manifest(
            "cluster",
            "pool",
            "rs-3-2",
            new RowLayout(1, RowLayout.DEFAULT_CHUNK),
            3,
            1,
            1,
            List.of(new Member(source.inode(), source.length())),
            List.of(
                new Stripe(
                    List.of(new DataUnit(0, source.blocks().get(0).block(), 1)), List.of(1, 2))));
    try (ParityDraft draft = store.draft(source.inode())) {
      String directory;
      try (DraftLoan loan = draft.lend("borrower")) {
        directory = loan.directory();
        write(borrower, directory + "/0-a", Optional.empty());
        write(borrower, directory + "/1-a", Optional.empty());
      }
      draft.take(0, "0-a", LENGTH);
      draft.take(1, "1-a", LENGTH);
      LocatedFile unused = draft.concat(2);
      draft.describe(manifest, source);
      Path parity = new Path(directory, "parity");
      Map<String, byte[]> attributes = fs.getXAttrs(parity);
      fs.rename(parity, new Path(directory, "aside"));
      RealHdfs.write(fs, parity.toString(), 1, RealHdfs.BLOCK, RealHdfs.bytes(9, 2 * LENGTH));
      for (Map.Entry<String, byte[]> attribute : attributes.entrySet()) {
        fs.setXAttr(parity, attribute.getKey(), attribute.getValue());
      }

      assertThatThrownBy(draft::commit).hasMessageContaining("not the file that was proven");
    }
    assertThat(store.find(source.inode())).isEmpty();
  }
}
