// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.CallPermits;
import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.namespace.UnconfirmedOwnershipException;
import io.hdfsraid.drfs.namespace.UnresponsiveNode;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.embedded.EmbeddedNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RealHdfs.class)
class HdfsNamespaceTest {
  private final EmbeddedHdfs hdfs;
  private final DistributedFileSystem fs;
  private final HdfsNamespace namespace;

  HdfsNamespaceTest(EmbeddedHdfs hdfs) {
    this.hdfs = hdfs;
    this.fs = hdfs.fileSystem();
    this.namespace = new HdfsNamespace(fs);
  }

  @BeforeEach
  void clear() throws IOException {
    fs.delete(new Path("/namespace"), true);
  }

  private LocatedFile file(String path) throws IOException {
    return namespace.file(path).orElseThrow();
  }

  @Test
  void aFileIsShownWithAllItsBlocksHoweverManyTheyAre() throws Exception {
    RealHdfs.write(fs, "/namespace/many", 2, 512, RealHdfs.bytes(1, 512 * 40 + 7));
    fs.setPermission(new Path("/namespace/many"), new FsPermission("640"));

    LocatedFile file = file("/namespace/many");

    assertThat(file.blocks()).hasSize(41);
    assertThat(file.blocks()).allMatch(block -> block.live().size() == 2);
    assertThat(file.blocks().stream().map(LocatedBlock::block).mapToLong(Block::length).sum())
        .isEqualTo(file.length())
        .isEqualTo(512 * 40 + 7);
    assertThat(file.blockSize()).isEqualTo(512);
    assertThat(file.replication()).isEqualTo(2);
    assertThat(file.mode()).isEqualTo(0640);
    assertThat(file.underConstruction() || file.striped() || file.encrypted()).isFalse();
    assertThat(namespace.file(file.inode()).orElseThrow().contents()).isEqualTo(file.contents());
  }

  @Test
  void aReplicaIsShownWithItsNodeAndRack() throws Exception {
    RealHdfs.write(fs, "/namespace/f", 1, RealHdfs.BLOCK, RealHdfs.bytes(1, 10));

    Replica replica = file("/namespace/f").blocks().get(0).live().get(0);

    EmbeddedNode node = hdfs.dataNodeAt(replica.node().address());
    assertThat(replica.node().uuid()).isEqualTo(node.uuid());
    assertThat(replica.node().rack()).isEqualTo(node.rack());
    assertThat(replica.storageType()).isEqualTo("DISK");
    assertThat(replica.inService()).isTrue();
  }

  @Test
  void whatIsNoFileIsEmpty() throws Exception {
    fs.mkdirs(new Path("/namespace/directory"));
    long directory = fs.getClient().getFileInfo("/namespace/directory").getFileId();

    assertThat(namespace.file("/namespace/none")).isEmpty();
    assertThat(namespace.file("/none/at/all")).isEmpty();
    assertThat(namespace.file("/namespace/directory")).isEmpty();
    assertThat(namespace.file(directory)).isEmpty();
    assertThat(namespace.file(987_654_321)).isEmpty();
  }

  @Test
  void aFileIsFoundByItsInodeAfterARename() throws Exception {
    RealHdfs.write(fs, "/namespace/old", 1, RealHdfs.BLOCK, RealHdfs.bytes(1, 10));
    LocatedFile before = file("/namespace/old");
    fs.rename(new Path("/namespace/old"), new Path("/namespace/new"));

    assertThat(namespace.file(before.inode()).orElseThrow().contents())
        .isEqualTo(before.contents());
  }

  @Test
  void anEmptyFileHasNoBlocks() throws Exception {
    RealHdfs.write(fs, "/namespace/empty", 1, RealHdfs.BLOCK, new byte[0]);

    assertThat(file("/namespace/empty").blocks()).isEmpty();
    assertThat(file("/namespace/empty").underConstruction()).isFalse();
  }

  @Test
  void aFileThatIsOpenForWritingSaysSo() throws Exception {
    fs.mkdirs(new Path("/namespace"));
    try (FSDataOutputStream out = fs.create(new Path("/namespace/open"))) {
      out.write(RealHdfs.bytes(1, 100));
      out.hflush();
      assertThat(file("/namespace/open").underConstruction()).isTrue();
    }
    assertThat(file("/namespace/open").underConstruction()).isFalse();
    try (FSDataOutputStream out = fs.append(new Path("/namespace/open"))) {
      assertThat(file("/namespace/open").underConstruction()).isTrue();
      out.write(1);
    }
  }

  @Test
  void anEncryptedFileSaysSo() throws Exception {
    fs.mkdirs(new Path("/namespace/zone"));
    new HdfsAdmin(hdfs.uri(), hdfs.configuration())
        .createEncryptionZone(
            new Path("/namespace/zone"),
            RealHdfs.KEY,
            EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
    RealHdfs.write(fs, "/namespace/zone/f", 1, RealHdfs.BLOCK, RealHdfs.bytes(1, 10));

    assertThat(file("/namespace/zone/f").encrypted()).isTrue();
  }

  @Test
  void aStripedFileSaysSo() throws Exception {
    fs.mkdirs(new Path("/namespace/striped"));
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.setErasureCodingPolicy(new Path("/namespace/striped"), "XOR-2-1-1024k");
    RealHdfs.write(fs, "/namespace/striped/f", 1, 1 << 20, RealHdfs.bytes(1, 10));

    assertThat(file("/namespace/striped/f").striped()).isTrue();
  }

  @Test
  void aBlockWhoseEveryReplicaIsCorruptHasNoLiveReplicaAndNamesTheCorruptOnes() throws Exception {
    RealHdfs.write(fs, "/namespace/rotten", 1, RealHdfs.BLOCK, RealHdfs.bytes(1, 4096));
    LocatedBlock block = file("/namespace/rotten").blocks().get(0);
    DataNode node = block.live().get(0).node();
    hdfs.corruptReplica(block.block().id(), hdfs.dataNodeAt(node.address()).index());
    try (FSDataInputStream in = fs.open(new Path("/namespace/rotten"))) {
      assertThatThrownBy(() -> in.readFully(0, new byte[4096])).isInstanceOf(IOException.class);
    }

    RealHdfs.await("the NameNode knows", () -> file("/namespace/rotten").blocks().get(0).isLost());
    LocatedBlock now = file("/namespace/rotten").blocks().get(0);
    assertThat(now.live()).isEmpty();
    assertThat(now.corrupt()).extracting(Replica::node).containsExactly(node);
  }

  @Test
  void aBlockOnADeadNodeIsLost() throws Exception {
    RealHdfs.write(fs, "/namespace/dead", 1, RealHdfs.BLOCK, RealHdfs.bytes(1, 10));
    DataNode node = file("/namespace/dead").blocks().get(0).live().get(0).node();
    int index = hdfs.dataNodeAt(node.address()).index();
    hdfs.stopDataNode(index);
    RealHdfs.await(
        node + " to be called silent, and no other",
        () ->
            namespace.staleNodes(Duration.ofSeconds(3)).stream()
                .map(UnresponsiveNode::node)
                .toList()
                .equals(List.of(node)));
    assertThat(file("/namespace/dead").hasLostBlocks()).as("it is not given up yet").isFalse();
    hdfs.declareDead(index);
    try {
      assertThat(namespace.staleNodes(Duration.ZERO))
          .as("those that it believes to be live")
          .extracting(UnresponsiveNode::node)
          .doesNotContain(node);
      assertThat(file("/namespace/dead").hasLostBlocks()).isTrue();
      assertThat(file("/namespace/dead").blocks().get(0).corrupt()).isEmpty();
      assertThat(namespace.nodes()).extracting(NodeState::node).hasSize(8).doesNotContain(node);
    } finally {
      hdfs.restartDataNode(index);
    }
  }

  @Test
  void replicationIsSetByInode() throws Exception {
    RealHdfs.write(fs, "/namespace/f", 3, RealHdfs.BLOCK, RealHdfs.bytes(1, 10));
    long inode = file("/namespace/f").inode();
    fs.rename(new Path("/namespace/f"), new Path("/namespace/g"));

    namespace.setReplication(inode, 2);

    assertThat(file("/namespace/g").replication()).isEqualTo(2);
    assertThatThrownBy(() -> namespace.setReplication(987_654_321, 2))
        .isInstanceOf(InodeGoneException.class);
  }

  /** The NameNode answers with an IllegalArgumentException that has no message. */
  @Test
  void anInodeThatWasRenamedAfterASnapshotAndDeletedIsGone() throws Exception {
    Path directory = new Path("/renamed");
    RealHdfs.write(fs, "/renamed/f", 3, RealHdfs.BLOCK, RealHdfs.bytes(1, 10));
    long inode = file("/renamed/f").inode();
    fs.allowSnapshot(directory);
    fs.createSnapshot(directory, "before");
    try {
      fs.rename(new Path("/renamed/f"), new Path("/renamed/g"));
      assertThat(namespace.file(inode)).isPresent();
      fs.delete(new Path("/renamed/g"), false);

      assertThat(namespace.file(inode)).isEmpty();
      assertThat(namespace.version(inode)).isEmpty();
      assertThatThrownBy(() -> namespace.setReplication(inode, 1))
          .isInstanceOf(InodeGoneException.class);
      assertThat(file("/renamed/.snapshot/before/f").inode()).isEqualTo(inode);
      assertThat(namespace.file("g")).as("at the path that fsck gives").isEmpty();
    } finally {
      fs.deleteSnapshot(directory, "before");
      fs.disallowSnapshot(directory);
      fs.delete(directory, true);
    }
  }

  @Test
  void anInodeThatLivesOnlyInASnapshotIsGoneAlthoughItsPathResolves() throws Exception {
    Path directory = new Path("/snapshots");
    RealHdfs.write(fs, "/snapshots/f", 3, RealHdfs.BLOCK, RealHdfs.bytes(1, 10));
    long old = file("/snapshots/f").inode();
    fs.allowSnapshot(directory);
    fs.createSnapshot(directory, "before");
    try {
      fs.delete(new Path("/snapshots/f"), false);
      RealHdfs.write(fs, "/snapshots/f", 3, RealHdfs.BLOCK, RealHdfs.bytes(2, 10));
      HdfsFileStatus resolved = fs.getClient().getFileInfo(InodePath.of(old));
      assertThat(resolved.getFileId()).as("HDFS resolves it to the new file").isNotEqualTo(old);

      assertThat(namespace.file(old)).isEmpty();
      assertThatThrownBy(() -> namespace.setReplication(old, 1))
          .isInstanceOf(InodeGoneException.class);
      assertThat(file("/snapshots/f").replication()).isEqualTo(3);
    } finally {
      fs.deleteSnapshot(directory, "before");
      fs.disallowSnapshot(directory);
    }
  }

  @Test
  void aFileThatTakesThePlaceDuringTheCallGetsItsReplicationBackAlsoWhenTheAnswerIsLost()
      throws Exception {
    Path directory = new Path("/snapshots");
    RealHdfs.write(fs, "/snapshots/f", 3, RealHdfs.BLOCK, RealHdfs.bytes(1, 10));
    long old = file("/snapshots/f").inode();
    fs.allowSnapshot(directory);
    fs.createSnapshot(directory, "before");
    try (DistributedFileSystem losesAnswers = new LosesTheAnswer()) {
      losesAnswers.initialize(hdfs.uri(), hdfs.configuration());

      assertThatThrownBy(() -> new HdfsNamespace(losesAnswers).setReplication(old, 1))
          .hasMessage("the answer got lost");

      assertThat(file("/snapshots/f").inode()).isNotEqualTo(old);
      assertThat(file("/snapshots/f").replication()).isEqualTo(3);
    } finally {
      fs.deleteSnapshot(directory, "before");
      fs.disallowSnapshot(directory);
    }
  }

  /** The first time a replication is set, for a file that has just been replaced. */
  private final class LosesTheAnswer extends DistributedFileSystem {
    private DFSClient losing;

    @Override
    public DFSClient getClient() {
      try {
        if (losing == null) {
          losing =
              new DFSClient(hdfs.uri(), hdfs.configuration()) {
                private boolean lost;

                @Override
                public boolean setReplication(String path, short replication) throws IOException {
                  if (lost) {
                    return super.setReplication(path, replication);
                  }
                  lost = true;
                  fs.delete(new Path("/snapshots/f"), false);
                  RealHdfs.write(fs, "/snapshots/f", 3, RealHdfs.BLOCK, RealHdfs.bytes(2, 10));
                  assertThat(super.setReplication(path, replication)).isTrue();
                  throw new IOException("the answer got lost");
                }
              };
        }
        return losing;
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      losing.close();
      super.close();
    }
  }

  @Test
  void allLiveNodesAreListedWithTheirRacks() throws Exception {
    assertThat(namespace.nodes()).hasSize(9).allMatch(NodeState::inService);
    for (NodeState node : namespace.nodes()) {
      assertThat(node.node().rack()).isEqualTo(hdfs.dataNodeAt(node.node().address()).rack());
      assertThat(node.remaining()).isPositive();
      assertThat(node.room("DISK")).isPositive();
      assertThat(node.room("SSD")).isZero();
    }
  }

  @Test
  void aReplicaIsListedWithTheVolumeItLiesOn() throws Exception {
    RealHdfs.write(hdfs.fileSystem(), "/volume", 3, RealHdfs.BLOCK, RealHdfs.bytes(1, 100));
    Map<DataNode, String> volumes = new HashMap<>();
    namespace.nodes().forEach(node -> volumes.put(node.node(), node.storages().get(0).id()));

    for (Replica replica : namespace.file("/volume").orElseThrow().blocks().get(0).live()) {
      assertThat(replica.storage()).isEqualTo(volumes.get(replica.node()));
    }
  }

  @Test
  void storagePoliciesSayWhereASingleReplicaGoes() throws Exception {
    assertThat(namespace.storagePolicy(0)).isEqualTo(StoragePolicy.UNSPECIFIED);
    assertThat(namespace.storagePolicy(HdfsConstants.HOT_STORAGE_POLICY_ID).specified()).isFalse();
    assertThat(namespace.storagePolicy(HdfsConstants.COLD_STORAGE_POLICY_ID))
        .isEqualTo(new StoragePolicy("COLD", List.of("ARCHIVE")));
    assertThat(namespace.storagePolicy(HdfsConstants.ONESSD_STORAGE_POLICY_ID).media())
        .startsWith("SSD")
        .contains("DISK");
  }

  @Test
  void allDataNodesAreAskedForAgainOnlyWhenTheAnswerIsTooOld() throws IOException {
    HdfsNamespace patient = new HdfsNamespace(fs, CallPermits.UNLIMITED, Duration.ofDays(1));
    assertThat(patient.nodes()).isSameAs(patient.nodes()).isNotEmpty();
    HdfsNamespace eager = new HdfsNamespace(fs, CallPermits.UNLIMITED, Duration.ZERO);
    assertThat(eager.nodes()).isNotSameAs(eager.nodes());
  }

  @Test
  void aLookWaitsForItsTurnAndAChangeIsCountedAndNeverWaits() throws Exception {
    List<String> asked = new ArrayList<>();
    CallPermits permits =
        new CallPermits() {
          @Override
          public void await(int calls) {
            asked.add("await " + calls);
          }

          @Override
          public void count(int calls) {
            asked.add("count " + calls);
          }
        };
    HdfsNamespace counted = new HdfsNamespace(fs, permits, Duration.ZERO);
    RealHdfs.write(fs, "/namespace/permits", 3, RealHdfs.BLOCK, RealHdfs.bytes(1, 100));
    long inode = file("/namespace/permits").inode();

    assertThat(counted.file(inode)).isPresent();
    assertThat(counted.file("/namespace/permits")).isPresent();
    assertThat(counted.nodes()).isNotEmpty();
    assertThat(asked).containsExactly("await 1", "await 1", "await 1");
    asked.clear();
    counted.setReplication(inode, 2);
    assertThat(asked).containsExactly("count 3");
  }

  private HdfsNamespace fenced(IOException refusal) {
    return new HdfsNamespace(
        fs,
        CallPermits.UNLIMITED,
        Duration.ZERO,
        () -> {
          throw refusal;
        });
  }

  @Test
  void inDoubtReplicationIsRaisedAndNeverLowered() throws Exception {
    RealHdfs.write(fs, "/namespace/fenced", 2, RealHdfs.BLOCK, RealHdfs.bytes(1, 100));
    long inode = namespace.file("/namespace/fenced").orElseThrow().inode();
    HdfsNamespace unconfirmed =
        fenced(new UnconfirmedOwnershipException("It is not confirmed", null));
    assertThatThrownBy(() -> unconfirmed.setReplication(inode, 1))
        .isInstanceOf(UnconfirmedOwnershipException.class);
    unconfirmed.setReplication(inode, 3);
    assertThat(namespace.file(inode).orElseThrow().replication()).isEqualTo(3);
  }

  @Test
  void aDeposedWriterSetsNoReplicationAtAll() throws Exception {
    RealHdfs.write(fs, "/namespace/deposed", 2, RealHdfs.BLOCK, RealHdfs.bytes(1, 100));
    long inode = namespace.file("/namespace/deposed").orElseThrow().inode();
    HdfsNamespace deposed = fenced(new DeposedException("Another one has taken over"));
    for (int replication : new int[] {1, 3}) {
      assertThatThrownBy(() -> deposed.setReplication(inode, replication))
          .isInstanceOf(DeposedException.class);
    }
    assertThat(namespace.file(inode).orElseThrow().replication()).isEqualTo(2);
  }
}
