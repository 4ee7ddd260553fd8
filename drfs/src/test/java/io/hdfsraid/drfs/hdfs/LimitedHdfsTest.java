// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An HDFS with few extended attributes, and without ACLs and block tokens. */
class LimitedHdfsTest {
  private static EmbeddedHdfs hdfs;
  private static DistributedFileSystem fs;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        EmbeddedHdfs.builder()
            .dataNodes(1)
            .blockSize(RealHdfs.BLOCK)
            .set("dfs.namenode.fs-limits.max-xattrs-per-inode", "8")
            .set("dfs.namenode.acls.enabled", "false")
            .set("dfs.namenode.fs-limits.min-block-size", "4096")
            .start();
    fs = hdfs.fileSystem();
  }

  @AfterAll
  static void close() throws IOException {
    hdfs.close();
  }

  @Test
  void tooFewExtendedAttributesAreRefused() throws Exception {
    try (HdfsParityStore store =
        HdfsParityStore.open(hdfs.uri(), hdfs.configuration(), ParitySettings.defaults())) {
      assertThatThrownBy(store::prepare)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("dfs.namenode.fs-limits.max-xattrs-per-inode");
    }
    assertThat(fs.listStatus(new Path("/.raid/tmp"))).isEmpty();
  }

  @Test
  void withoutAclsTheModeSaysWhatItCan() throws Exception {
    RealHdfs.write(fs, "/source", 1, RealHdfs.BLOCK, new byte[1]);
    RealHdfs.write(fs, "/parity", 1, RealHdfs.BLOCK, new byte[1]);
    fs.setOwner(new Path("/source"), "bob", "staff");
    long inode = fs.getClient().getFileInfo("/source").getFileId();
    AccessRights rights =
        new AccessRights(
            fs.getClient(),
            fs::getClient,
            "root",
            () -> ParitySettings.AccessRule.INHERIT,
            AccessRights.Pieces.NONE);

    for (String[] modes :
        new String[][] {{"640", "640"}, {"644", "644"}, {"604", "604"}, {"044", "600"}}) {
      fs.setPermission(new Path("/source"), new FsPermission(modes[0]));
      rights.copy(List.of(inode), "/parity");
      assertThat(fs.getFileStatus(new Path("/parity")).getPermission())
          .as("source %s", modes[0])
          .isEqualTo(new FsPermission(modes[1]));
      assertThat(fs.getFileStatus(new Path("/parity")).getGroup()).isEqualTo("staff");
    }
    new AccessRights(
            fs.getClient(),
            fs::getClient,
            "root",
            () -> ParitySettings.AccessRule.DAEMON_ONLY,
            AccessRights.Pieces.NONE)
        .copy(List.of(inode), "/parity");
    assertThat(fs.getFileStatus(new Path("/parity")).getPermission())
        .isEqualTo(new FsPermission("600"));
  }

  @Test
  void whileNobodyKnowsWhoDecidesParityGetsNoNewReaders() throws Exception {
    Path source = new Path("/unknown-source");
    Path parity = new Path("/unknown-parity");
    RealHdfs.write(fs, source.toString(), 1, RealHdfs.BLOCK, new byte[1]);
    RealHdfs.write(fs, parity.toString(), 1, RealHdfs.BLOCK, new byte[1]);
    List<Long> inode = List.of(fs.getClient().getFileInfo(source.toString()).getFileId());
    fs.setPermission(source, new FsPermission("644"));
    fs.setPermission(parity, new FsPermission("600"));
    AccessRights unknown =
        new AccessRights(
            fs.getClient(),
            fs::getClient,
            "root",
            () -> ParitySettings.AccessRule.UNKNOWN,
            AccessRights.Pieces.NONE);

    unknown.copy(inode, parity.toString());
    assertThat(fs.getFileStatus(parity).getPermission())
        .as("new")
        .isEqualTo(new FsPermission("600"));

    new AccessRights(
            fs.getClient(),
            fs::getClient,
            "root",
            () -> ParitySettings.AccessRule.INHERIT,
            AccessRights.Pieces.NONE)
        .copy(inode, parity.toString());
    unknown.copy(inode, parity.toString());
    assertThat(fs.getFileStatus(parity).getPermission())
        .as("as it was")
        .isEqualTo(new FsPermission("644"));

    fs.setPermission(source, new FsPermission("640"));
    unknown.copy(inode, parity.toString());
    assertThat(fs.getFileStatus(parity).getPermission())
        .as("changed since")
        .isEqualTo(new FsPermission("600"));
  }

  @Test
  void theEmptyTokenIsEnoughWithoutBlockTokens() throws Exception {
    byte[] bytes = RealHdfs.bytes(1, 10_000);
    RealHdfs.write(fs, "/f", 1, RealHdfs.BLOCK, bytes);
    LocatedFile file = new HdfsNamespace(fs).file("/f").orElseThrow();
    Replica replica = file.blocks().get(0).live().get(0);
    String pool = fs.getClient().getLocatedBlocks("/f", 0).get(0).getBlock().getBlockPoolId();
    CRC32C crc = new CRC32C();
    crc.update(bytes);

    HdfsDataNodes nodes = new HdfsDataNodes(fs, pool, ReadTokens.NONE);

    assertThat(nodes.checksum(file.blocks().get(0).block(), replica))
        .isEqualTo((int) crc.getValue());
    nodes.open(file.blocks().get(0).block(), replica, 0, 10_000).close();
  }

  @Test
  void aNameNodeThatWantsLargerBlocksThanTheConfigurationSaysIsObeyed() throws Exception {
    var conf = hdfs.configuration();
    conf.set("dfs.namenode.fs-limits.min-block-size", "512");
    try (DistributedFileSystem mistaken =
        (DistributedFileSystem) DistributedFileSystem.newInstance(hdfs.uri(), conf)) {
      UnitFiles files = new UnitFiles(mistaken);
      files.create("/unit", 100, java.util.Optional.empty()).close();
      assertThat(fs.getFileStatus(new Path("/unit")).getBlockSize()).isEqualTo(RealHdfs.BLOCK);
    }
  }
}
