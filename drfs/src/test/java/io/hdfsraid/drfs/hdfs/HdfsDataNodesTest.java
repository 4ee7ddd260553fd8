// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.OtherChecksumException;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.PeerCache;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RealHdfs.class)
class HdfsDataNodesTest {
  private static final String FILE = "/nodes/f";
  private static final byte[] BYTES = RealHdfs.bytes(7, RealHdfs.BLOCK + 1000);

  private final EmbeddedHdfs hdfs;
  private final DistributedFileSystem fs;
  private final HdfsNamespace namespace;
  private NameNodeReadTokens tokens;
  private LocatedFile file;
  private String blockPool;
  private HdfsDataNodes dataNodes;

  HdfsDataNodesTest(EmbeddedHdfs hdfs) {
    this.hdfs = hdfs;
    this.fs = hdfs.fileSystem();
    this.namespace = new HdfsNamespace(fs);
  }

  @BeforeEach
  void writeFile() throws IOException {
    RealHdfs.write(fs, FILE, 3, RealHdfs.BLOCK, BYTES);
    blockPool = fs.getClient().getLocatedBlocks(FILE, 0).get(0).getBlock().getBlockPoolId();
    tokens = new NameNodeReadTokens(fs);
    file = namespace.file(FILE).orElseThrow();
    tokens.grant(file, Set.copyOf(file.contents()));
    dataNodes = new HdfsDataNodes(fs, blockPool, tokens);
  }

  private static byte[] read(HdfsDataNodes nodes, Block block, Replica replica, int offset, int n)
      throws IOException {
    ByteBuffer target = ByteBuffer.allocate(n);
    try (BlockInput in = nodes.open(block, replica, offset, n)) {
      in.readFully(target);
    }
    return target.array();
  }

  private static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  private int node(Replica replica) {
    return hdfs.dataNodeAt(replica.node().address()).index();
  }

  @Test
  void everyReplicaIsReadFromWhereItIsAsked() throws Exception {
    for (int b = 0; b < 2; b++) {
      LocatedBlock block = file.blocks().get(b);
      int start = b * RealHdfs.BLOCK;
      int length = (int) block.block().length();
      assertThat(block.live()).hasSize(3);
      for (Replica replica : block.live()) {
        for (int[] range : new int[][] {{0, length}, {0, 1}, {511, 2}, {length - 1, 1}, {3, 700}}) {
          assertThat(read(dataNodes, block.block(), replica, range[0], range[1]))
              .as("block %d range %s of %s", b, Arrays.toString(range), replica)
              .isEqualTo(Arrays.copyOfRange(BYTES, start + range[0], start + range[0] + range[1]));
        }
      }
    }
  }

  /** So one range after another costs a question each, and no connection. */
  @Test
  void rangesThatAreReadToTheirEndShareAConnection() throws Exception {
    Configuration own = hdfs.configuration();
    own.set(HdfsClientConfigKeys.DFS_CLIENT_CONTEXT, "rangesThatAreReadToTheirEnd");
    try (DistributedFileSystem client =
        (DistributedFileSystem) FileSystem.newInstance(hdfs.uri(), own)) {
      HdfsDataNodes nodes = new HdfsDataNodes(client, blockPool, tokens);
      PeerCache kept = client.getClient().getClientContext().getPeerCache();
      LocatedBlock block = file.blocks().get(0);
      Replica replica = block.live().get(0);
      assertThat(kept.size()).isZero();
      for (int from : new int[] {0, 20_000, 40_001}) {
        ByteBuffer target = ByteBuffer.allocate(5_003);
        try (BlockInput in = nodes.open(block.block(), replica, from, 5_003)) {
          assertThat(kept.size()).as("while reading from %d on", from).isZero();
          in.readFully(target);
        }
        assertThat(kept.size()).as("after reading from %d on", from).isEqualTo(1);
      }
    }
  }

  @Test
  void aRangeIsReadInPiecesIntoAnyBuffer() throws Exception {
    LocatedBlock block = file.blocks().get(0);
    ByteBuffer direct = ByteBuffer.allocateDirect(5000);
    try (BlockInput in = dataNodes.open(block.block(), block.live().get(0), 100, 5000)) {
      for (int end : new int[] {1, 512, 513, 5000}) {
        in.readFully(direct.limit(end));
      }
      assertThatThrownBy(() -> in.readFully(ByteBuffer.allocate(1)))
          .isInstanceOf(EOFException.class);
    }
    byte[] read = new byte[5000];
    direct.flip().get(read);
    assertThat(read).isEqualTo(Arrays.copyOfRange(BYTES, 100, 5100));
  }

  @Test
  void anEmptyRangeIsReadAndOneOutsideTheBlockIsRefused() throws Exception {
    Block block = file.blocks().get(1).block();
    Replica replica = file.blocks().get(1).live().get(0);
    assertThat(read(dataNodes, block, replica, 1000, 0)).isEmpty();
    for (long[] range : new long[][] {{0, 1001}, {1001, 0}, {-1, 1}, {1, Long.MAX_VALUE}}) {
      assertThatThrownBy(() -> dataNodes.open(block, replica, range[0], range[1]))
          .as(Arrays.toString(range))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aRottenReplicaFailsAndTheOthersDoNot() throws Exception {
    LocatedBlock block = file.blocks().get(0);
    Replica rotten = block.live().get(1);
    hdfs.corruptReplica(block.block().id(), node(rotten), 40_000);

    for (Replica replica : block.live()) {
      if (replica.equals(rotten)) {
        assertThatThrownBy(() -> read(dataNodes, block.block(), replica, 0, RealHdfs.BLOCK))
            .isInstanceOf(CorruptReplicaException.class)
            .hasMessageContaining("blk_" + block.block().id())
            .hasMessageContaining(replica.node().address());
      } else {
        assertThat(read(dataNodes, block.block(), replica, 0, RealHdfs.BLOCK))
            .isEqualTo(Arrays.copyOf(BYTES, RealHdfs.BLOCK));
      }
    }
  }

  @Test
  void aReplicaThatIsCutShortIsAFailureAndNeverZeros() throws Exception {
    LocatedBlock block = file.blocks().get(0);
    Replica cut = block.live().get(0);
    try (FileChannel data =
        FileChannel.open(
            hdfs.replicaFiles(node(cut)).get(block.block().id()), StandardOpenOption.WRITE)) {
      data.truncate(10);
    }

    assertThatThrownBy(() -> read(dataNodes, block.block(), cut, 0, RealHdfs.BLOCK))
        .isInstanceOf(IOException.class);
    assertThat(read(dataNodes, block.block(), block.live().get(1), 0, RealHdfs.BLOCK))
        .isEqualTo(Arrays.copyOf(BYTES, RealHdfs.BLOCK));
  }

  @Test
  void theChecksumOfEveryReplicaIsTheCrcOfTheBytes() throws Exception {
    LocatedBlock last = file.blocks().get(1);
    for (Replica replica : last.live()) {
      assertThat(dataNodes.checksum(last.block(), replica))
          .isEqualTo(crc(BYTES, RealHdfs.BLOCK, BYTES.length));
    }
  }

  @Test
  void aFileWithAnotherTypeOfChecksumIsToldApart() throws Exception {
    String path = "/crc32";
    try (FSDataOutputStream out =
        fs.create(
            new Path(path),
            FsPermission.getFileDefault(),
            EnumSet.of(CreateFlag.CREATE),
            4_096,
            (short) 3,
            RealHdfs.BLOCK,
            null,
            new Options.ChecksumOpt(DataChecksum.Type.CRC32, 512))) {
      out.write(BYTES, 0, 1_000);
    }
    LocatedFile other = namespace.file(path).orElseThrow();
    tokens.grant(other, Set.copyOf(other.contents()));
    LocatedBlock block = other.blocks().get(0);
    assertThatThrownBy(() -> dataNodes.checksum(block.block(), block.live().get(0)))
        .isInstanceOf(OtherChecksumException.class)
        .hasMessageContaining("checksums of type CRC32;");
  }

  @Test
  void theChecksumOfALongerReplicaIsThatOfTheRecordedLength() throws Exception {
    Block block = file.blocks().get(0).block();
    for (int length : new int[] {1, 511, 512, 513, 60_000}) {
      assertThat(
              dataNodes.checksum(
                  new Block(block.id(), block.generationStamp(), length),
                  file.blocks().get(0).live().get(0)))
          .as("first %d bytes", length)
          .isEqualTo(crc(BYTES, 0, length));
    }
  }

  @Test
  void aMissingReplicaAndAStoppedNodeFail() throws Exception {
    LocatedBlock block = file.blocks().get(0);
    Replica replica = block.live().get(0);
    Block other = new Block(block.block().id(), block.block().generationStamp() + 1000, 10);
    assertThatThrownBy(() -> dataNodes.checksum(other, replica)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> dataNodes.open(other, replica, 0, 10)).isInstanceOf(IOException.class);
    hdfs.stopDataNode(node(replica));
    try {
      assertThatThrownBy(() -> dataNodes.checksum(block.block(), replica))
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> dataNodes.open(block.block(), replica, 0, 10))
          .isInstanceOf(IOException.class);
    } finally {
      hdfs.restartDataNode(node(replica));
    }
  }

  /** Gives a wrong token until it is refreshed. */
  private final class StaleTokens implements ReadTokens {
    private final boolean canRefresh;
    private boolean refreshed;

    StaleTokens(boolean canRefresh) {
      this.canRefresh = canRefresh;
    }

    @Override
    public Token<BlockTokenIdentifier> read(ExtendedBlock block) throws IOException {
      return refreshed ? tokens.read(block) : new Token<>();
    }

    @Override
    public boolean refresh() {
      refreshed = canRefresh;
      return canRefresh;
    }
  }

  @Test
  void aRefusedTokenIsRenewedOnce() throws Exception {
    LocatedBlock block = file.blocks().get(0);
    Replica replica = block.live().get(0);

    HdfsDataNodes renewing = new HdfsDataNodes(fs, blockPool, new StaleTokens(true));
    assertThat(read(renewing, block.block(), replica, 5, 5))
        .isEqualTo(Arrays.copyOfRange(BYTES, 5, 10));
    renewing = new HdfsDataNodes(fs, blockPool, new StaleTokens(true));
    assertThat(renewing.checksum(block.block(), replica)).isEqualTo(crc(BYTES, 0, RealHdfs.BLOCK));

    HdfsDataNodes refused = new HdfsDataNodes(fs, blockPool, new StaleTokens(false));
    assertThatThrownBy(() -> refused.open(block.block(), replica, 5, 5))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> refused.checksum(block.block(), replica))
        .isInstanceOf(IOException.class);
  }

  @Test
  void tokensAreKeptOnlyForTheBlocksThatWereAskedFor() throws Exception {
    Block first = file.blocks().get(0).block();
    Block last = file.blocks().get(file.blocks().size() - 1).block();
    NameNodeReadTokens few = new NameNodeReadTokens(fs);
    few.grant(file, Set.of(last));
    assertThat(few.read(HadoopTypes.extendedBlock(blockPool, last))).isNotNull();
    assertThat(few.refresh()).isTrue();
    assertThat(few.read(HadoopTypes.extendedBlock(blockPool, last))).isNotNull();
    assertThatThrownBy(() -> few.read(HadoopTypes.extendedBlock(blockPool, first)))
        .isInstanceOf(AccessControlException.class);
  }

  @Test
  void tokensAreGivenOnlyForFilesTheUserMayRead() throws Exception {
    fs.setPermission(new Path(FILE), new org.apache.hadoop.fs.permission.FsPermission("600"));
    RealHdfs.as(
        "alice",
        () -> {
          try (DistributedFileSystem hers =
              (DistributedFileSystem)
                  DistributedFileSystem.newInstance(hdfs.uri(), hdfs.configuration())) {
            NameNodeReadTokens herTokens = new NameNodeReadTokens(hers);
            assertThatThrownBy(() -> herTokens.grant(file, Set.copyOf(file.contents())))
                .isInstanceOf(AccessControlException.class);
            HdfsDataNodes herNodes = new HdfsDataNodes(hers, blockPool, herTokens);
            assertThatThrownBy(
                    () ->
                        herNodes.open(
                            file.blocks().get(0).block(), file.blocks().get(0).live().get(0), 0, 1))
                .isInstanceOf(AccessControlException.class);
          }
          return null;
        });
  }

  @Test
  void lookingAndReadingDoNotCountAsAccess() throws Exception {
    LocatedFile before = namespace.file(FILE).orElseThrow();
    for (LocatedBlock block : before.blocks()) {
      for (Replica replica : block.live()) {
        read(dataNodes, block.block(), replica, 0, (int) block.block().length());
        dataNodes.checksum(block.block(), replica);
      }
    }
    LocatedFile after = namespace.file(before.inode()).orElseThrow();
    assertThat(after.accessed()).isEqualTo(before.accessed());

    try (FSDataInputStream in = fs.open(new Path(FILE))) {
      in.readFully(0, new byte[10]);
    }
    assertThat(namespace.file(FILE).orElseThrow().accessed())
        .as("HDFS's own reads do count")
        .isAfter(before.accessed());
  }
}
