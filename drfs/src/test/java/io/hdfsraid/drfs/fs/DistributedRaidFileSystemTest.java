// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
import io.hdfsraid.drfs.hdfs.RealHdfs;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.UnrecoverableStripeException;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Options.HandleOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathHandle;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.io.ElasticByteBufferPool;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With blocks that are rebuilt in one window ({@link BlocksOfOneWindowTest}), and with blocks that
 * take two ({@link BlocksOfTwoWindowsTest}).
 */
abstract class DistributedRaidFileSystemTest extends RaidedFiles {
  private static final String POLICY = "fs.option.openfile.read.policy";

  DistributedRaidFileSystemTest(int blockSize, EmbeddedHdfs hdfs) {
    super(blockSize, hdfs);
  }

  @Test
  void aHealthyFileIsReadAsHdfsReadsIt() throws Exception {
    Path file = raided("/files/healthy");
    try (FSDataInputStream in = drfs.open(file)) {
      assertThat(in).isInstanceOf(HdfsDataInputStream.class);
      HdfsDataInputStream asHdfs = (HdfsDataInputStream) in;
      assertThat(asHdfs.getAllBlocks()).hasSize(8);
      assertThat(asHdfs.getVisibleLength()).isEqualTo(bytes.length);
      assertThat(in.readAllBytes()).isEqualTo(bytes);
      assertThat(asHdfs.getCurrentBlock().getBlockId()).isEqualTo(block(file, 7).block().id());
      assertThat(asHdfs.getReadStatistics().getTotalBytesRead()).isEqualTo(bytes.length);
    }
    assertThat(drfs.degradedReads().count()).isZero();
  }

  @Test
  void lostBlocksAreReadThroughTheirStripesFromTheFirstByteToTheLast() throws Exception {
    Path file = raided("/files/f");
    for (int index : new int[] {0, 2, 4, 7}) { // two of one stripe, one of the next, the short one
      lose(file, index);
    }
    try (FSDataInputStream in = plain.open(file)) {
      assertThatThrownBy(in::readAllBytes).isInstanceOf(IOException.class);
    }
    for (int buffer : new int[] {1000, 200_000}) {
      byte[] read = new byte[bytes.length];
      try (FSDataInputStream in = drfs.open(file)) {
        int at = 0;
        while (at < read.length) {
          int n = in.read(read, at, Math.min(buffer, read.length - at));
          assertThat(n).as("at %d", at).isPositive();
          at += n;
          assertThat(in.getPos()).isEqualTo(at);
        }
        assertThat(in.read()).isEqualTo(-1);
        assertThat(in.read(new byte[10])).isEqualTo(-1);
        assertThat(in.available()).isZero();
      }
      assertThat(read).as("with a buffer of %d", buffer).isEqualTo(bytes);
    }
    assertThat(drfs.degradedReads().bytes()).isEqualTo(2 * (3L * blockSize + 12_345));
    int growing = 3; // windows of a reader that is not yet known to be sequential
    assertThat(drfs.degradedReads().count())
        .isBetween(2L * (3 * windows + 1), 2L * (3 * windows + 1 + growing));
    assertThat(drfs.degradedReads().bytesRead()).isGreaterThan(drfs.degradedReads().bytes());
    // All nodes of this cluster run on this machine.
    assertThat(drfs.degradedReads().bytesRead(Distance.SAME_NODE))
        .isEqualTo(drfs.degradedReads().bytesRead());
  }

  /** Two stripes, of 4 and of 4 units, the last of which is short; rows of two chunks. */
  @Test
  void blocksUnderACodeOfSeveralChunksInARowAreReadThroughIt() throws Exception {
    Path file = new Path("/files/less");
    RealHdfs.write(plain, "/files/less", 1, blockSize, bytes);
    try (HandRaider less = new HandRaider(hdfs, ROOT, "less-4-2")) {
      less.raid("/files/less");
    }
    for (int index : new int[] {1, 4, 7}) {
      lose(file, index);
    }
    try (FSDataInputStream in = drfs.open(file)) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    assertThat(drfs.degradedReads().bytes()).isEqualTo(2L * blockSize + 12_345);
    try (FSDataInputStream in = drfs.open(file)) {
      // Around the borders of chunks (10,000), of rows (20,000) and of blocks.
      for (int from :
          new int[] {blockSize - 3, blockSize + 9_999, blockSize + 19_990, 5 * blockSize - 10}) {
        byte[] read = new byte[10_013];
        in.readFully(from, read);
        assertThat(read).as("from %d", from).isEqualTo(range(from, from + read.length));
      }
    }
  }

  @Test
  void aStripeThatChangesBetweenTwoReadsIsNotUsedAgain() throws Exception {
    Path file = raided("/files/changes");
    lose(file, 6);
    long inode = namespace.file("/files/changes").orElseThrow().inode();
    LocatedBlock parity = raider.store().find(inode).orElseThrow().file().blocks().get(4);
    hdfs.deleteReplica(parity.block().id(), node(parity)); // so that the last block is needed
    try (FSDataInputStream in = drfs.open(file)) {
      in.readFully(7L * blockSize - 100, new byte[100]);
      assertThat(drfs.degradedReads().count()).isEqualTo(1);

      plain.truncate(file, 7L * blockSize + 100);
      RealHdfs.await("truncated", () -> !namespace.file(inode).orElseThrow().underConstruction());
      try (FSDataOutputStream out = plain.append(file)) {
        out.write(new byte[12_245]);
      }

      assertThatThrownBy(() -> in.readFully(6L * blockSize + 5000, new byte[1000]))
          .isInstanceOf(IOException.class);
      assertThat(drfs.degradedReads().count()).isEqualTo(1);
      assertThat(block(file, 7).isLost()).as("reported, although its new bytes are good").isFalse();
    }
  }

  @Test
  void aRottenBlockIsReadThroughItsStripe() throws Exception {
    Path file = raided("/files/rotten");
    LocatedBlock block = block(file, 1);
    hdfs.corruptReplica(block.block().id(), node(block), 30_000);

    try (FSDataInputStream in = drfs.open(file)) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    assertThat(drfs.degradedReads().count()).isPositive();
    RealHdfs.await("HDFS's client has told the NameNode", () -> block(file, 1).isLost());
  }

  /** HDFS-14768 wrote zeros over parity in this way. */
  @Test
  void aHelperThatHoldsOtherBytesUnderFittingChecksumsIsNotReadAndIsReported() throws Exception {
    Path file = raided("/files/forged");
    forge(file, 2);
    lose(file, 0);
    try (FSDataInputStream in = drfs.open(file)) {
      byte[] part = new byte[100];
      in.readFully(blockSize / 2, part);
      assertThat(part).isEqualTo(range(blockSize / 2, blockSize / 2 + 100));
      assertThat(in.readNBytes(blockSize)).isEqualTo(range(0, blockSize));
    }
    RealHdfs.await("the NameNode has heard of it", () -> block(file, 2).isLost());
  }

  @Test
  void whatReadersFindGoneOrRottenIsReported() throws Exception {
    Path file = raided("/files/reported");
    lose(file, 0);
    LocatedBlock helper = block(file, 2);
    hdfs.corruptReplica(helper.block().id(), node(helper), 30_000);
    try (FSDataInputStream in = drfs.open(file)) {
      assertThat(in.readNBytes(blockSize)).isEqualTo(range(0, blockSize));
    }
    RealHdfs.await("the NameNode has heard of the lost block", () -> block(file, 0).isLost());
    RealHdfs.await("the NameNode has heard of the rot", () -> block(file, 2).isLost());
    assertThat(block(file, 1).isLost()).isFalse();
  }

  @Test
  void aBlockOnAStoppedNodeIsNotReported() throws Exception {
    Path file = raidedApart("/files/silent");
    int node = node(block(file, 1));
    hdfs.stopDataNode(node);
    try (FSDataInputStream in = drfs.open(file)) {
      in.seek(blockSize);
      assertThat(in.readNBytes(100)).isEqualTo(range(blockSize, blockSize + 100));
    } finally {
      hdfs.restartDataNode(node);
    }
    assertThat(block(file, 1).corrupt()).isEmpty();
  }

  @Test
  void moreForgedHelpersThanTheCodeToleratesGiveAnErrorAndNoBytes() throws Exception {
    Path file = raided("/files/forgeries");
    forge(file, 1);
    forge(file, 2);
    lose(file, 0);
    try (FSDataInputStream in = drfs.open(file)) {
      assertThatThrownBy(() -> in.readFully(blockSize / 2, new byte[100]))
          .isInstanceOf(BlockMissingException.class)
          .satisfies(
              e ->
                  assertThat(e.getSuppressed())
                      .hasAtLeastOneElementOfType(UnrecoverableStripeException.class));
    }
    assertThat(drfs.degradedReads().count()).isZero();
  }

  @Test
  void aBlockOnAStoppedNodeIsReadThroughItsStripe() throws Exception {
    Path file = raidedApart("/files/stopped");
    int node = node(block(file, 1));
    hdfs.stopDataNode(node);
    try (FSDataInputStream in = drfs.open(file)) {
      in.seek(blockSize);
      assertThat(in.readNBytes(blockSize)).isEqualTo(range(blockSize, 2 * blockSize));
      assertThat(drfs.degradedReads().count()).isPositive();
    } finally {
      hdfs.restartDataNode(node);
    }
  }

  @Test
  void aStreamGoesBackToHdfsWhenTheBlockIsThereAgain() throws Exception {
    Path file = raidedApart("/files/back");
    int node = node(block(file, 1));
    Configuration conf = configuration();
    conf.setInt(ReadRetryPolicy.RETRY_AFTER, 0);
    try (DistributedRaidFileSystem eager =
            (DistributedRaidFileSystem) FileSystem.newInstance(hdfs.uri(), conf);
        FSDataInputStream in = eager.open(file)) {
      hdfs.stopDataNode(node);
      try {
        in.readFully(blockSize, new byte[10]);
        assertThat(eager.degradedReads().count()).isEqualTo(1);
      } finally {
        hdfs.restartDataNode(node);
      }
      RealHdfs.await("the NameNode lists the replica", () -> !block(file, 1).isLost());
      byte[] read = new byte[10];
      in.readFully(blockSize + 50, read);
      assertThat(read).isEqualTo(range(blockSize + 50, blockSize + 60));
      in.seek(blockSize);
      in.readFully(read);
      assertThat(read).isEqualTo(range(blockSize, blockSize + 10));
      assertThat(eager.degradedReads().count()).isEqualTo(1);
      assertThat(((HdfsDataInputStream) in).getCurrentBlock().getBlockId())
          .as("HDFS has read it, not our memory of it")
          .isEqualTo(block(file, 1).block().id());
    }
  }

  @Test
  void anyRangeIsReadByPositionAlsoByManyAtOnce() throws Exception {
    Path file = raided("/files/positions");
    lose(file, 1);
    lose(file, 5);
    ExecutorService readers = Executors.newFixedThreadPool(8);
    try (FSDataInputStream in = drfs.open(file)) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        Random random = new Random(i);
        int from = random.nextInt(bytes.length);
        int length = random.nextInt(i % 2 == 0 ? 500 : 3 * blockSize);
        int to = Math.min(bytes.length, from + length);
        all.add(
            readers.submit(
                () -> {
                  byte[] read = new byte[to - from];
                  in.readFully(from, read);
                  assertThat(read).as("%d to %d", from, to).isEqualTo(range(from, to));
                  ByteBuffer direct = ByteBuffer.allocateDirect(to - from);
                  in.readFully(from, direct);
                  direct.flip().get(read);
                  assertThat(read).as("%d to %d, direct", from, to).isEqualTo(range(from, to));
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
      assertThat(in.getPos()).isZero();
      assertThat(in.read(bytes.length, new byte[1], 0, 1)).isEqualTo(-1);
      assertThatThrownBy(() -> in.readFully(bytes.length - 5, new byte[6]))
          .isInstanceOf(EOFException.class);
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    } finally {
      readers.shutdownNow();
    }
  }

  /** Without a unit to spare a healthy block can be read from HDFS only. */
  @Test
  void aBufferAcrossAHealthyAndALostBlockIsFilledWhenTheStripeToleratesNoFurtherLoss()
      throws Exception {
    Path file = new Path("/files/across");
    RealHdfs.write(plain, "/files/across", 1, blockSize, bytes);
    try (HandRaider xor = new HandRaider(hdfs, ROOT, "xor-3-1")) {
      xor.raid("/files/across");
    }
    lose(file, 1);
    for (int before : new int[] {1, 1_000, blockSize - 1, blockSize}) {
      for (int behind : new int[] {1, 1_000, blockSize, blockSize + 1_000}) {
        int from = blockSize - before;
        int to = blockSize + behind;
        try (FSDataInputStream in = drfs.open(file)) {
          ByteBuffer target = ByteBuffer.allocateDirect(to - from);
          in.readFully(from, target);
          byte[] read = new byte[to - from];
          target.flip().get(read);
          assertThat(read).as("%d to %d", from, to).isEqualTo(range(from, to));
        }
      }
    }
  }

  @Test
  void seekingInAndOutOfALostBlockKeepsThePosition() throws Exception {
    Path file = raided("/files/seek");
    lose(file, 3);
    try (FSDataInputStream in = drfs.open(file)) {
      byte[] read = new byte[100];
      int[] positions = {
        3 * blockSize + 5,
        10,
        3 * blockSize - 50,
        4 * blockSize - 50,
        4 * blockSize,
        3 * blockSize,
        7 * blockSize
      };
      for (int at : positions) {
        in.seek(at);
        in.readFully(read);
        assertThat(read).as("at %d", at).isEqualTo(range(at, at + 100));
        assertThat(in.getPos()).isEqualTo(at + 100);
      }
      in.seek(3L * blockSize);
      assertThat(in.read()).isEqualTo(bytes[3 * blockSize] & 0xff);
      assertThat(in.skip(1000)).isEqualTo(1000);
      assertThat(in.read()).isEqualTo(bytes[3 * blockSize + 1001] & 0xff);
      assertThat(in.skip(blockSize)).isEqualTo(blockSize);
      assertThat(in.read()).isEqualTo(bytes[4 * blockSize + 1002] & 0xff);
      assertThat(in.available()).isEqualTo(bytes.length - 4 * blockSize - 1003);
      assertThat(in.skip(Long.MAX_VALUE)).isEqualTo(bytes.length - 4 * blockSize - 1003);
      assertThat(in.read()).isEqualTo(-1);
      assertThatThrownBy(() -> in.seek(bytes.length + 1)).isInstanceOf(IOException.class);
      in.seek(3L * blockSize);
      in.unbuffer();
      ByteBuffer direct = ByteBuffer.allocateDirect(100);
      while (direct.hasRemaining()) {
        assertThat(in.read(direct)).isPositive();
      }
      direct.flip().get(read);
      assertThat(read).isEqualTo(range(3 * blockSize, 3 * blockSize + 100));
    }
  }

  @Test
  void aStreamForgetsLostBlocksThatItDoesNotBelieveLostAnyMore() throws Exception {
    Path file = new Path("/files/forgets");
    RealHdfs.write(plain, "/files/forgets", 1, blockSize, bytes);
    for (int index : new int[] {1, 3, 5}) {
      lose(file, index);
    }
    ExecutorService executor = Executors.newCachedThreadPool();
    for (long believedMillis : new long[] {0, 60_000}) {
      try (LateReads late = new LateReads(Duration.ofMinutes(1), executor);
          DistributedFileSystem impatient =
              (DistributedFileSystem)
                  FileSystem.newInstance(
                      hdfs.uri(), ReadRetryPolicy.without(hdfs.configuration()));
          HdfsDataInputStream opened = (HdfsDataInputStream) impatient.open(file);
          RaidInputStream in =
              new RaidInputStream(
                  "/files/forgets",
                  opened,
                  new Zeros(opened),
                  new ReadRetryPolicy(0, 0, believedMillis),
                  late,
                  executor,
                  () -> false,
                  new Readahead(LARGEST_WINDOW),
                  new Windows(
                      executor,
                      new WindowMemory(RowMemory.UNLIMITED, System::nanoTime),
                      System::nanoTime),
                  rebuilt -> {})) {
        for (int index : new int[] {1, 3, 5}) {
          in.readFully((long) index * blockSize, new byte[10]);
        }
        assertThat(in.remembered()).isEqualTo(believedMillis == 0 ? 1 : 3);
        in.unbuffer();
        in.readFully(0, new byte[10]);
        in.readFully(blockSize + 1, new byte[10]);
        assertThat(in.remembered()).isEqualTo(believedMillis == 0 ? 1 : 3);
      }
    }
    executor.shutdown();
  }

  private static final class Zeros implements RaidInputStream.LostBlockLookup {
    private final HdfsDataInputStream opened;

    Zeros(HdfsDataInputStream opened) {
      this.opened = opened;
    }

    @Override
    public Optional<LostBlock> find(org.apache.hadoop.hdfs.protocol.LocatedBlock block) {
      LostBlock.Contents zeros =
          new LostBlock.Contents() {
            @Override
            public void read(long offset, ByteBuffer target) {
              target.position(target.limit());
            }

            @Override
            public int rowBytes() {
              return LARGEST_WINDOW;
            }
          };
      LostBlock.Owner owner = new LostBlock.Owner(0, HadoopTypes.block(block.getBlock()));
      return Optional.of(new LostBlock(owner, block.getStartOffset(), block.getBlockSize(), zeros));
    }

    @Override
    public Optional<org.apache.hadoop.hdfs.protocol.LocatedBlock> at(long position)
        throws IOException {
      return opened.getAllBlocks().stream()
          .filter(block -> position < block.getStartOffset() + block.getBlockSize())
          .findFirst();
    }

    @Override
    public boolean isHere(LostBlock found) {
      throw new AssertionError("No other stream has found it");
    }

    @Override
    public boolean survivesRename() {
      return false;
    }

    @Override
    public void failed(LostBlock lost) {
      throw new AssertionError("Zeros can always be read");
    }
  }

  @Test
  void aLostBlockHasNoOtherSource() throws Exception {
    Path file = raided("/files/source");
    lose(file, 1);
    try (FSDataInputStream in = drfs.open(file)) {
      byte[] read = new byte[100];
      in.readFully(read);
      assertThat(in.seekToNewSource(blockSize + 7)).as("before it is known to be lost").isFalse();
      assertThat(in.getPos()).isEqualTo(blockSize + 7);
      in.readFully(read);
      assertThat(read).isEqualTo(range(blockSize + 7, blockSize + 107));
      assertThat(in.seekToNewSource(blockSize + 9)).as("when it is known").isFalse();
      in.readFully(read);
      assertThat(read).isEqualTo(range(blockSize + 9, blockSize + 109));
      in.seek(5);
      in.readFully(read);
      assertThat(read).isEqualTo(range(5, 105));
    }
  }

  @Test
  void streamsThatAreOpenedInOtherWaysReadThroughLosses() throws Exception {
    Path file = raided("/files/otherwise");
    lose(file, 1);
    try (FSDataInputStream in = drfs.open(drfs.getPathHandle(drfs.getFileStatus(file)))) {
      assertThat(in.readAllBytes()).as("by a handle").isEqualTo(bytes);
    }
    FileStatus status = drfs.getFileStatus(file);
    PathHandle anywhere =
        drfs.getPathHandle(status, HandleOpt.moved(true), HandleOpt.changed(true));
    try (FSDataInputStream in = drfs.open(anywhere)) {
      assertThat(in.readAllBytes()).as("by a handle that follows renames").isEqualTo(bytes);
    }
    try (FSDataInputStream in =
        drfs.openFile(file)
            .opt(POLICY, "random")
            .opt("fs.option.openfile.length", bytes.length)
            .build()
            .get()) {
      in.seek(blockSize + 3);
      assertThat(in.readNBytes(10)).as("openFile").isEqualTo(range(blockSize + 3, blockSize + 13));
    }
    try (FSDataInputStream in = drfs.openFile(anywhere).build().get()) {
      assertThat(in.readAllBytes()).as("openFile with a handle").isEqualTo(bytes);
    }
  }

  @Test
  void rebuiltBytesAreInTheStatistics() throws Exception {
    Path file = raided("/files/counted");
    lose(file, 1);
    long before = statistics().getBytesRead();
    try (FSDataInputStream in = drfs.open(file)) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
      assertThat(((HdfsDataInputStream) in).getReadStatistics().getTotalBytesRead())
          .isEqualTo(bytes.length);
    }
    assertThat(statistics().getBytesRead() - before).isEqualTo(bytes.length);
  }

  /** Calls what is deprecated: its successor has one entry for all classes of a scheme. */
  @SuppressWarnings("deprecation")
  private FileSystem.Statistics statistics() {
    return FileSystem.getStatistics("hdfs", drfs.getClass());
  }

  @Test
  void aFileContextReadsThroughLossesAndIsHdfsOtherwise() throws Exception {
    Path file = raided("/files/context");
    FileChecksum checksum = plain.getFileChecksum(file);
    lose(file, 1);
    FileContext context = FileContext.getFileContext(hdfs.uri(), configuration());
    try (FSDataInputStream in = context.open(file)) {
      assertThat(in).isInstanceOf(HdfsDataInputStream.class);
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    try (FSDataInputStream in = context.openFile(file).opt(POLICY, "random").build().get()) {
      assertThat(in.readAllBytes()).as("openFile").isEqualTo(bytes);
    }
    assertThat(context.getFileChecksum(file)).isEqualTo(checksum);
    context.setXAttr(file, "user.some", new byte[] {1});
    assertThat(context.getXAttrs(file)).containsKey("user.some");
    context.setAcl(
        file, AclEntry.parseAclSpec("user::rw-,user:bob:r--,group::---,other::---", true));
    assertThat(context.getAclStatus(file).getEntries()).isNotEmpty();
    context.setStoragePolicy(file, "HOT");
    assertThat(context.getStoragePolicy(file).getName()).isEqualTo("HOT");

    Path other = new Path("/files/new");
    RealHdfs.write(plain, "/files/new", 1, blockSize, new byte[10]);
    context.rename(other, file, Options.Rename.OVERWRITE);
    assertThat(context.getFileStatus(file).getLen()).isEqualTo(10);
    List<String> names = new ArrayList<>();
    for (var all = context.listStatus(new Path("/files")); all.hasNext(); ) {
      names.add(all.next().getPath().getName());
    }
    assertThat(names).containsExactly("context");
  }

  /** Beside the call that opens the file, as with plain HDFS. */
  @Test
  void aStreamAsksTheNameNodeSixTimesAndTheNextOneOnce() throws Exception {
    Path file = raided("/files/calls");
    lose(file, 1);
    try (DistributedRaidFileSystem other = drfs()) {
      readAt(other, file, blockSize);
    }
    RealHdfs.await("the NameNode has heard of it", () -> block(file, 1).isLost());
    Path warming = raided("/files/warming"); // once per client: how to connect to DataNodes
    lose(warming, 4);
    readAt(drfs, warming, 4L * blockSize);
    RealHdfs.await("the NameNode has heard of it", () -> block(warming, 4).isLost());

    Map<String, Long> before = hdfs.settledNameNodeCalls();
    readAt(drfs, file, blockSize + 1000L);
    assertCalls(
        before,
        Map.of(
            // The open; HDFS's client asks again when there is no replica; the parity.
            "getBlockLocations", 3L,
            "getLocatedFileInfo", 2L,
            "getXAttrs", 1L,
            "getFileInfo", 1L));
    before = hdfs.settledNameNodeCalls();
    readAt(drfs, file, blockSize + 20_000L);
    assertCalls(before, Map.of("getBlockLocations", 1L, "getFileInfo", 1L));
  }

  /** HDFS's client is given the first ten blocks when it opens a file; here the first two. */
  @Test
  void aFileOfManyBlocksCostsSomeCallsMore() throws Exception {
    Path file = raided("/files/many-blocks");
    lose(file, 5);
    Path warming = raided("/files/warming"); // once per client: how to connect to DataNodes
    lose(warming, 4);
    try (DistributedRaidFileSystem other = drfs()) {
      readAt(other, file, 5L * blockSize);
      readAt(other, warming, 4L * blockSize);
    }
    RealHdfs.await("the NameNode has heard of it", () -> block(file, 5).isLost());
    RealHdfs.await("the NameNode has heard of it", () -> block(warming, 4).isLost());
    try (DistributedRaidFileSystem fs = withPrefetch(2L * blockSize)) {
      readAt(fs, warming, 4L * blockSize);
      Map<String, Long> before = hdfs.settledNameNodeCalls();
      readAt(fs, file, 5L * blockSize + 1_000);
      assertCalls(
          before,
          Map.of(
              // The open; HDFS's client asks for the block behind those two, and then for both
              // again; the stream asks for all; the parity.
              "getBlockLocations", 6L,
              "getLocatedFileInfo", 2L,
              "getXAttrs", 1L,
              "getFileInfo", 1L));
      before = hdfs.settledNameNodeCalls();
      readAt(fs, file, 5L * blockSize + 20_000);
      // The open, and a list of all: only the blocks of a stream tell which file it has opened.
      assertCalls(before, Map.of("getBlockLocations", 2L, "getFileInfo", 1L));
    }
  }

  private DistributedRaidFileSystem withPrefetch(long bytes) throws IOException {
    Configuration conf = configuration();
    conf.setLong("dfs.client.read.prefetch.size", bytes);
    return (DistributedRaidFileSystem) FileSystem.newInstance(hdfs.uri(), conf);
  }

  @Test
  void aLostBlockOfAnotherFileIsNeverReadInPlaceOfOneThatWasNotGivenAtTheOpen() throws Exception {
    // HDFS's client looks for blocks of a node that has failed it by path: in the other file.
    Path file =
        raided("/files/many-blocks-replaced", written -> blockApartFrom(written, 1).isPresent());
    int later = blockApartFrom(file, 1).orElseThrow();
    lose(file, 1);
    try (DistributedRaidFileSystem fs = withPrefetch(2L * blockSize);
        FSDataInputStream in = fs.open(file);
        DistributedRaidFileSystem other = withPrefetch(2L * blockSize);
        FSDataInputStream withoutLosses = other.open(file)) {
      in.readFully(blockSize, new byte[100]);
      assertThat(plain.rename(file, new Path("/files/many-blocks-moved"))).isTrue();
      byte[] others = RealHdfs.bytes(13, bytes.length);
      RealHdfs.write(plain, "/files/many-blocks-replaced", 1, blockSize, others);
      raider.raid("/files/many-blocks-replaced");
      lose(file, later);
      byte[] read = new byte[100];
      in.readFully((long) later * blockSize, read);
      assertThat(read)
          .as("all blocks were listed when the loss was met")
          .isEqualTo(range(later * blockSize, later * blockSize + 100));
      assertThatThrownBy(() -> withoutLosses.readFully(blockSize, new byte[100]))
          .isInstanceOf(IOException.class);
    }
  }

  /** Returns one of the blocks that an open does not list, on another node than the given block. */
  private OptionalInt blockApartFrom(Path file, int index) throws IOException {
    LocatedFile located = namespace.file(file.toUri().getPath()).orElseThrow();
    int node = node(located.blocks().get(index));
    return IntStream.range(3, located.blocks().size())
        .filter(later -> node(located.blocks().get(later)) != node)
        .findFirst();
  }

  /** HDFS's client asks for blocks behind the first ones by path, and so does another stream. */
  @Test
  void aLostBlockOfTheFileThatHasTakenThePathIsNotOfTheOneThatWasOpened() throws Exception {
    Path file = raided("/files/many-blocks-taken");
    byte[] others = RealHdfs.bytes(14, bytes.length);
    RealHdfs.write(plain, "/files/many-blocks-taking", 1, blockSize, others);
    raider.raid("/files/many-blocks-taking");
    lose(new Path("/files/many-blocks-taking"), 5);
    try (DistributedRaidFileSystem fs = withPrefetch(2L * blockSize);
        FSDataInputStream in = fs.open(file)) {
      plain.rename(new Path("/files/many-blocks-taking"), file, Options.Rename.OVERWRITE);
      try (FSDataInputStream fresh = fs.open(file)) {
        byte[] read = new byte[100];
        fresh.readFully(5L * blockSize, read);
        assertThat(read).isEqualTo(Arrays.copyOfRange(others, 5 * blockSize, 5 * blockSize + 100));
      }
      assertThatThrownBy(() -> in.readFully(5L * blockSize, new byte[100]))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void anotherClientOfTheSameConfigurationIsAsPatientAsHdfs() {
    assertThat(drfs.getConf().get("dfs.client.retry.window.base"))
        .isEqualTo(configuration().get("dfs.client.retry.window.base"));
    assertThat(drfs.getConf().get("dfs.client.max.block.acquire.failures"))
        .isEqualTo(configuration().get("dfs.client.max.block.acquire.failures"));
  }

  @Test
  void whatAStreamHasFoundIsUsedByTheNextOneOnlyForTheSameBlock() throws Exception {
    Path file = raided("/files/again");
    lose(file, 1);
    readAt(drfs, file, blockSize);
    plain.delete(file, false);
    byte[] other = RealHdfs.bytes(12, bytes.length);
    RealHdfs.write(plain, "/files/again", 1, blockSize, other);
    try (FSDataInputStream in = drfs.open(file)) {
      assertThat(in.readAllBytes()).isEqualTo(other);
    }
  }

  @Test
  void whoWaitsForADataNodeThatDoesNotAnswerIsGivenTheStripe() throws Exception {
    Path file = raidedApart("/files/hung");
    Configuration impatient = configuration();
    impatient.setInt(ReadSettings.DEADLINE, 1_500);
    byte[] read = new byte[blockSize];
    try (HungBlock hung = new HungBlock(block(file, 1));
        FileSystem fs = FileSystem.newInstance(hdfs.uri(), impatient);
        FSDataInputStream in = fs.open(file)) {
      in.seek(blockSize);
      in.readFully(read, 0, 5_000);
      in.readFully(blockSize + 5_000, read, 5_000, 1_000);
      in.seek(blockSize + 10_000); // HDFS's client takes a seek within its block to be one
      in.seek(blockSize + 5_000);
      hung.release();
      in.readFully(read, 5_000, blockSize - 5_000);
      assertThat(read).isEqualTo(range(blockSize, 2 * blockSize));
      assertThat(in.read()).isEqualTo(bytes[2 * blockSize] & 0xff);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }
    assertThat(block(file, 1).isLost()).as("reported, although it is only slow").isFalse();
  }

  /** Otherwise HDFS's client waits for a minute. */
  @Test
  @Timeout(40)
  void hedgedReadsOfHdfsAreLeftToo() throws Exception {
    Path file = raidedApart("/files/hung-hedged");
    Configuration hedging = configuration();
    hedging.setInt(ReadSettings.DEADLINE, 1_500);
    hedging.setInt(HdfsClientConfigKeys.HedgedRead.THREADPOOL_SIZE_KEY, 2);
    hedging.setInt(HdfsClientConfigKeys.HedgedRead.THRESHOLD_MILLIS_KEY, 50);
    try (HungBlock hung = new HungBlock(block(file, 1));
        FileSystem fs = FileSystem.newInstance(hdfs.uri(), hedging);
        FSDataInputStream in = fs.open(file)) {
      byte[] read = new byte[2 * blockSize];
      in.readFully(0, read, 0, blockSize);
      in.readFully(blockSize, read, blockSize, blockSize);
      assertThat(read).isEqualTo(range(0, 2 * blockSize));
      assertThat(hung.isAsked()).isTrue();
      hung.release();
    } finally {
      // All later clients of the process would hedge, those of other tests, too.
      Field threads = DFSClient.class.getDeclaredField("HEDGED_READ_THREAD_POOL");
      threads.setAccessible(true);
      threads.set(null, null);
    }
  }

  @Test
  void whoWaitsForABlockWithoutParityIsLeftWaiting() throws Exception {
    Path file = new Path("/files/patient");
    RealHdfs.write(plain, "/files/patient", 1, blockSize, bytes);
    Configuration impatient = configuration();
    impatient.setInt(ReadSettings.DEADLINE, 30);
    CompletableFuture<byte[]> read = new CompletableFuture<>();
    try (HungBlock hung = new HungBlock(block(file, 1));
        FileSystem fs = FileSystem.newInstance(hdfs.uri(), impatient);
        FSDataInputStream in = fs.open(file)) {
      Map<String, Long> before = hdfs.nameNodeCalls();
      Thread reader =
          new Thread(
              () -> {
                try {
                  read.complete(in.readAllBytes());
                } catch (IOException | RuntimeException e) {
                  read.completeExceptionally(e);
                }
              });
      reader.start();
      RealHdfs.await(
          "another way was looked for",
          () ->
              hdfs.nameNodeCalls().getOrDefault("getXAttrs", 0L)
                  > before.getOrDefault("getXAttrs", 0L));
      assertThat(read).isNotDone();
      hung.release();
      assertThat(read.get()).isEqualTo(bytes);
    }
  }

  @Test
  void aHelperThatNothingCanReplaceIsGivenUpAndNamed() throws Exception {
    Path file = raidedApart("/files/given-up");
    for (int index : new int[] {0, 1}) {
      lose(file, index);
    }
    Configuration impatient = configuration();
    impatient.setInt(ReadSettings.DEADLINE, 200);
    impatient.setInt("dfs.client.retry.window.base", 1);
    LocatedBlock helper = block(file, 2);
    try (HungBlock hung = new HungBlock(helper);
        FileSystem fs = FileSystem.newInstance(hdfs.uri(), impatient);
        FSDataInputStream in = fs.open(file)) {
      Map<String, Long> before = hdfs.settledNameNodeCalls();
      assertThatThrownBy(() -> in.readFully(10, new byte[100]))
          .isInstanceOf(BlockMissingException.class)
          .satisfies(
              e ->
                  assertThat(e.getSuppressed())
                      .hasAtLeastOneElementOfType(UnrecoverableStripeException.class)
                      .anySatisfy(
                          degraded ->
                              assertThat(degraded)
                                  .hasMessageStartingWith("/files/given-up cannot be read: Unit 0")
                                  .hasMessageContaining("stripe 0 of parity inode")
                                  .hasMessageContaining("units {0, 1, 2} cannot be read (3 of 5)")
                                  .hasMessageContaining(
                                      "%s on %s",
                                      helper.block(), helper.live().get(0).node().address()))
                      .anySatisfy(
                          degraded ->
                              assertThat(degraded.getSuppressed())
                                  .anySatisfy(
                                      lost ->
                                          assertThat(lost)
                                              .hasMessageContaining("no answer for 200 ms")
                                              .hasMessageContaining(
                                                  helper.live().get(0).node().address()))));
      assertThat(hung.isAsked()).isTrue();
      hdfs.settledNameNodeCalls();
      assertThat(callsSince(before).get("getXAttrs")).as("the stripe is read once").isEqualTo(1);
    }
  }

  /** HDFS's client asks for a file by its path, and ours has nothing else that it could ask for. */
  @Test
  void aLossThatIsFirstMetAfterARenameIsThatOfPlainHdfs() throws Exception {
    Path file = raided("/files/renamed-before-the-loss");
    Path renamed = new Path("/files/renamed-before-the-loss-was-met");
    for (DistributedFileSystem fs : List.of(plain, drfs)) {
      Path now = plain.exists(file) ? file : renamed;
      try (FSDataInputStream in = fs.open(now)) {
        in.readFully(new byte[100]);
        if (now.equals(file)) {
          lose(file, 1);
        }
        Path to = now.equals(file) ? renamed : file;
        assertThat(plain.rename(now, to)).isTrue();
        assertThatThrownBy(() -> in.readFully(blockSize, new byte[100]))
            .as("%s", fs)
            .isInstanceOf(FileNotFoundException.class);
      }
    }
  }

  @Test
  void aStreamThatHasMetALossReadsThroughLossesAfterARename() throws Exception {
    Path file = raided("/files/renamed-after-a-loss");
    lose(file, 1);
    Configuration restless = configuration();
    restless.setInt(ReadRetryPolicy.RETRY_AFTER, 1); // so HDFS is tried again each time
    try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), restless);
        FSDataInputStream first = fs.open(file);
        FSDataInputStream second = drfs.open(file)) {
      for (FSDataInputStream in : List.of(first, second)) {
        in.readFully(blockSize, new byte[100]);
      }
      Path renamed = new Path("/files/renamed-after-a-loss-was-met");
      assertThat(plain.rename(file, renamed)).isTrue();
      lose(renamed, 4);
      for (FSDataInputStream in : List.of(first, second)) {
        byte[] read = new byte[100];
        in.readFully(blockSize + 17, read);
        assertThat(read)
            .as("the loss that was met")
            .isEqualTo(range(blockSize + 17, blockSize + 117));
        in.seek(4L * blockSize - 50);
        in.readFully(read);
        assertThat(read).as("another one").isEqualTo(range(4 * blockSize - 50, 4 * blockSize + 50));
        in.readFully(4L * blockSize - 50, read);
        assertThat(read).as("another one").isEqualTo(range(4 * blockSize - 50, 4 * blockSize + 50));
      }
      assertThat(plain.delete(renamed, false)).isTrue();
      assertThatThrownBy(() -> first.readFully(4L * blockSize, new byte[100]))
          .isInstanceOf(FileNotFoundException.class);
    }
  }

  /** Waits for something that another thread does to a reader, and returns what it has met. */
  private Throwable failureOf(Path file, HungBlock hung, ReaderDisturbance disturbance)
      throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), configuration())) {
      FSDataInputStream in = fs.open(file); // closed with its file system
      Thread reader =
          new Thread(
              () -> {
                try {
                  in.seek(blockSize);
                  in.readFully(new byte[blockSize]);
                } catch (IOException | RuntimeException e) {
                  failure.set(e);
                }
              });
      reader.start();
      RealHdfs.await("the block is asked for", hung::isAsked);
      disturbance.of(reader, in, fs);
      reader.join();
    }
    return failure.get();
  }

  private interface ReaderDisturbance {
    void of(Thread reader, FSDataInputStream in, FileSystem fs) throws IOException;
  }

  @Test
  void whoReadsALostBlockCanBeInterrupted() throws Exception {
    Path file = raidedApart("/files/interrupted");
    lose(file, 1);
    try (HungBlock hung = new HungBlock(block(file, 2))) {
      assertThat(failureOf(file, hung, (reader, in, fs) -> reader.interrupt()))
          .isInstanceOfAny(InterruptedIOException.class, ClosedByInterruptException.class);
    }
  }

  @Test
  void aFileSystemThatIsClosedUnderAReaderEndsTheRead() throws Exception {
    Path file = raidedApart("/files/closed-under-a-reader");
    lose(file, 1);
    try (HungBlock hung = new HungBlock(block(file, 2))) {
      assertThat(
              failureOf(
                  file,
                  hung,
                  (reader, in, fs) -> {
                    fs.close();
                    hung.release();
                  }))
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void aSmallReadFetchesLittle() throws Exception {
    Path file = raided("/files/small");
    lose(file, 1);
    int helpers = 3;
    long small = LostBlock.SMALLEST_WINDOW;
    try (FSDataInputStream in = drfs.open(file)) {
      in.readFully(blockSize + 20_000, new byte[4_096]);
      assertThat(drfs.degradedReads().bytesRead()).as("at a position").isEqualTo(helpers * small);
      for (int i = 1; i <= 3; i++) {
        in.seek(blockSize + 14_000L * i);
        in.readFully(new byte[4_096]);
        assertThat(drfs.degradedReads().bytesRead())
            .as("after %d seeks", i)
            .isEqualTo((1L + i) * helpers * small);
      }
      in.readFully(blockSize + 1_000, new byte[20_000]);
      assertThat(drfs.degradedReads().bytesRead())
          .as("a larger one")
          .isEqualTo(helpers * (4 * small + 20_000L));
    }
  }

  @Test
  void aReaderThatGoesOnGetsLargerWindowsUnlessItSaysThatItWillNot() throws Exception {
    Path file = raided("/files/growing");
    lose(file, 1);
    assertThat(windowsOf(drfs.open(file))).isLessThanOrEqualTo(4L + windows);
    FSDataInputStream limited = drfs.open(file);
    limited.setReadahead(0L);
    long all = (blockSize - 1L) / LostBlock.SMALLEST_WINDOW + 1;
    assertThat(windowsOf(limited)).isGreaterThanOrEqualTo(all);
    assertThat(windowsOf(drfs.openFile(file).opt(POLICY, "vector, random").build().get()))
        .isGreaterThanOrEqualTo(all);
    assertThat(windowsOf(drfs.openFile(file).opt(POLICY, "new, whole-file").build().get()))
        .isEqualTo(windows);
  }

  @Test
  void theNextWindowIsRebuiltWhileThisOneIsRead() throws Exception {
    Path file = raided("/files/ahead");
    lose(file, 1);
    try (FSDataInputStream in = drfs.openFile(file).opt(POLICY, "whole-file").build().get()) {
      in.seek(blockSize);
      assertThat(in.read()).isEqualTo(bytes[blockSize] & 0xff);
      RealHdfs.await("rebuilt ahead", () -> drfs.degradedReads().bytes() == blockSize);
      in.seek(blockSize);
      assertThat(in.readNBytes(blockSize)).isEqualTo(range(blockSize, 2 * blockSize));
    }
  }

  /** In how many windows the lost block is rebuilt for a reader of small pieces. */
  private long windowsOf(FSDataInputStream opened) throws IOException {
    long before = drfs.degradedReads().count();
    try (FSDataInputStream in = opened) {
      in.seek(blockSize);
      byte[] read = new byte[blockSize];
      for (int at = 0; at < read.length; at += 4_096) {
        in.readFully(read, at, Math.min(4_096, read.length - at));
      }
      assertThat(read).isEqualTo(range(blockSize, 2 * blockSize));
    }
    return drfs.degradedReads().count() - before;
  }

  @ParameterizedTest
  @ValueSource(strings = {"MD5MD5CRC", "COMPOSITE_CRC"})
  void theChecksumOfAFileIsTheOneThatItHadBeforeItLostBlocks(String mode) throws Exception {
    Path file = raided("/files/checksum");
    Configuration conf = configuration();
    conf.set("dfs.checksum.combine.mode", mode);
    try (FileSystem fs = FileSystem.newInstance(hdfs.uri(), conf)) {
      List<Long> lengths =
          List.of(1L, 700L, blockSize + 1L, 5L * blockSize, bytes.length - 1L, Long.MAX_VALUE);
      Map<Long, FileChecksum> before = new HashMap<>();
      for (long length : lengths) {
        before.put(length, fs.getFileChecksum(file, length));
      }
      for (int index : new int[] {0, 2, 4, 7}) {
        lose(file, index);
      }
      for (long length : lengths) {
        assertThat(fs.getFileChecksum(file, length))
            .as("of %d bytes", length)
            .isEqualTo(before.get(length))
            .hasToString(before.get(length).toString());
      }
      assertThat(fs.getFileChecksum(file)).isEqualTo(before.get(Long.MAX_VALUE));
    }
  }

  @Test
  void aFileThatIsOpenForWritingHasNoChecksum() throws Exception {
    Path file = raided("/files/written");
    lose(file, 1);
    try (FSDataOutputStream out = plain.append(file)) {
      out.write(1);
      out.hflush();
      assertThatThrownBy(() -> drfs.getFileChecksum(file))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("under construction");
    }
  }

  @Test
  void theChecksumOfAFileInASnapshotIsOfItsLengthThen() throws Exception {
    Path directory = new Path("/then");
    plain.mkdirs(directory);
    plain.allowSnapshot(directory);
    try {
      Path file = raided("/then/f");
      FileChecksum then = plain.getFileChecksum(file);
      Path inSnapshot = new Path(plain.createSnapshot(directory, "s"), "f");
      lose(file, 1);
      try (FSDataOutputStream out = plain.append(file)) {
        out.write(new byte[1_000]);
      }
      assertThat(drfs.getFileChecksum(inSnapshot)).isEqualTo(then);
    } finally {
      plain.deleteSnapshot(directory, "s");
      plain.disallowSnapshot(directory);
      plain.delete(directory, true);
    }
  }

  @Test
  void aFileThatCannotBeRebuiltHasTheErrorOfHdfsForAChecksum() throws Exception {
    Path file = raided("/files/hopeless-checksum");
    for (int index = 0; index < 3; index++) {
      lose(file, index);
    }
    assertThatThrownBy(() -> drfs.getFileChecksum(file))
        .isInstanceOf(IOException.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .hasAtLeastOneElementOfType(UnrecoverableStripeException.class));
  }

  @Test
  void vectoredReadsAreAnsweredToo() throws Exception {
    Path file = raided("/files/vectored");
    lose(file, 2);
    List<FileRange> ranges =
        List.of(
            FileRange.createFileRange(10, 100),
            FileRange.createFileRange(2 * blockSize - 10, 1000),
            FileRange.createFileRange(5L * blockSize, 100));
    try (FSDataInputStream in = drfs.open(file)) {
      in.readVectored(ranges, ByteBuffer::allocate);
      for (FileRange range : ranges) {
        byte[] read = new byte[range.getLength()];
        range.getData().get().get(read);
        assertThat(read)
            .isEqualTo(range((int) range.getOffset(), (int) range.getOffset() + read.length));
      }
    }
  }

  @Test
  void rangesThatAreNearEachOtherAreRebuiltTogether() throws Exception {
    Path file = raided("/files/vectored-near");
    lose(file, 2);
    int length = 600;
    List<FileRange> ranges = new ArrayList<>();
    for (int i = 19; i >= 0; i--) {
      ranges.add(FileRange.createFileRange(2L * blockSize + 1_000L * i, length));
    }
    try (FSDataInputStream in = drfs.open(file)) {
      in.readVectored(ranges, ByteBuffer::allocate);
      for (FileRange range : ranges) {
        byte[] read = new byte[length];
        range.getData().get().get(read);
        assertThat(read)
            .isEqualTo(range((int) range.getOffset(), (int) range.getOffset() + length));
      }
      assertThat(drfs.degradedReads().count()).isEqualTo(1);
      in.readFully(3L * blockSize - 5_000, new byte[10]);
      assertThat(drfs.degradedReads().bytes())
          .as("from then on as before")
          .isEqualTo(19_600 + LostBlock.SMALLEST_WINDOW);
    }
  }

  @Test
  void whoSkipsALittleKeepsWhatIsRebuiltAhead() throws Exception {
    Path file = raided("/files/skipped");
    lose(file, 1);
    try (FSDataInputStream in = drfs.open(file)) {
      in.seek(blockSize);
      int skip = Math.min(blockSize / 1_000, LostBlock.SMALLEST_WINDOW);
      while (in.getPos() < 2L * (blockSize - skip)) {
        int at = (int) in.getPos();
        assertThat(in.readNBytes(skip)).isEqualTo(range(at, at + skip));
        assertThat(in.skip(skip)).isEqualTo(skip);
      }
    }
    assertThat(drfs.degradedReads().count())
        .as("rebuilt ranges: they grow, and are read to their ends")
        .isLessThan(blockSize / (1 << 20) + 12);
  }

  @Test
  void aStreamHasTheCapabilitiesOfThatOfHdfs() throws Exception {
    Path file = raided("/files/capable");
    try (FSDataInputStream in = drfs.open(file);
        FSDataInputStream ofHdfs = plain.open(file)) {
      for (Field capability : StreamCapabilities.class.getFields()) {
        String name = String.valueOf(capability.get(null));
        assertThat(in.hasCapability(name)).as(name).isEqualTo(ofHdfs.hasCapability(name));
      }
      assertThat(in.hasCapability(StreamCapabilities.VECTOREDIO))
          .isEqualTo(ofHdfs.hasCapability(StreamCapabilities.VECTOREDIO));
    }
  }

  @Test
  void readersThatTakeBuffersGetThemAcrossHealthyAndLostBlocks() throws Exception {
    Path file = raided("/files/buffers");
    lose(file, 1);
    ElasticByteBufferPool pool = new ElasticByteBufferPool();
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    try (FSDataInputStream in = drfs.open(file)) {
      ByteBuffer buffer;
      while ((buffer = in.read(pool, 50_000, EnumSet.noneOf(ReadOption.class))) != null) {
        byte[] some = new byte[buffer.remaining()];
        buffer.duplicate().get(some);
        read.writeBytes(some);
        assertThat(in.getPos()).isEqualTo(read.size());
        in.releaseBuffer(buffer);
      }
      assertThatThrownBy(() -> in.releaseBuffer(ByteBuffer.allocate(1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(read.toByteArray()).isEqualTo(bytes);
    assertThat(drfs.degradedReads().bytes()).isEqualTo(blockSize);
    assertThat(pool.size(true) + pool.size(false)).as("buffers that came back").isPositive();
  }

  @Test
  void aClosedStreamIsClosed() throws Exception {
    Path file = raided("/files/closed");
    lose(file, 0);
    FSDataInputStream in = drfs.open(file);
    assertThat(in.read()).isEqualTo(bytes[0] & 0xff);
    in.close();
    in.close();
    assertThatThrownBy(in::read).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> in.read(0, new byte[1], 0, 1)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> in.seek(0)).isInstanceOf(IOException.class);
  }

  @Test
  void parityFollowsTheFileNotItsName() throws Exception {
    Path file = raided("/files/old");
    lose(file, 0);
    Path renamed = new Path("/files/deeper/name with space & more");
    plain.mkdirs(renamed.getParent());
    plain.rename(file, renamed);

    try (FSDataInputStream in = drfs.open(renamed)) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    drfs.setWorkingDirectory(renamed.getParent());
    try (FSDataInputStream in = drfs.open(new Path(renamed.getName()))) {
      assertThat(in.readNBytes(100)).isEqualTo(range(0, 100));
    }
  }

  /** Its parity stays for the snapshot, and its block has one replica there, too. */
  @Test
  void aDeletedFileIsReadInItsSnapshot() throws Exception {
    Path directory = new Path("/kept");
    plain.mkdirs(directory);
    plain.allowSnapshot(directory);
    try {
      Path file = raided("/kept/f");
      plain.createSnapshot(directory, "s");
      lose(file, 1);
      plain.delete(file, false);
      try (FSDataInputStream in = drfs.open(new Path("/kept/.snapshot/s/f"))) {
        assertThat(in.readAllBytes()).isEqualTo(bytes);
      }
      assertThat(drfs.degradedReads().count()).isPositive();
    } finally {
      plain.deleteSnapshot(directory, "s");
      plain.disallowSnapshot(directory);
      plain.delete(directory, true);
    }
  }

  @Test
  void aFileThatWasCutIsReadInItsSnapshotAsItWas() throws Exception {
    Path directory = new Path("/cut");
    plain.mkdirs(directory);
    plain.allowSnapshot(directory);
    try {
      Path file = raided("/cut/f");
      plain.createSnapshot(directory, "s");
      lose(file, 1);
      assertThat(plain.truncate(file, 2L * blockSize)).isTrue();
      try (FSDataInputStream in = drfs.open(new Path("/cut/.snapshot/s/f"))) {
        in.seek(blockSize);
        assertThat(in.readNBytes(blockSize)).isEqualTo(range(blockSize, 2 * blockSize));
      }
    } finally {
      plain.deleteSnapshot(directory, "s");
      plain.disallowSnapshot(directory);
      plain.delete(directory, true);
    }
  }

  /** The NameNode shows the block as it has grown since, and the length as it was. */
  @Test
  void aFileThatHasGrownEndsInItsSnapshotWhereItEndedThen() throws Exception {
    Path directory = new Path("/grown");
    plain.mkdirs(directory);
    plain.allowSnapshot(directory);
    try {
      Path file = raided("/grown/f");
      Path then = new Path(plain.createSnapshot(directory, "s"), "f");
      try (FSDataOutputStream out = plain.append(file)) {
        out.write(new byte[1_000]);
      }
      ParityFile stale =
          raider.store().find(namespace.file("/grown/f").orElseThrow().inode()).orElseThrow();
      assertThat(raider.store().quarantine(stale)).isTrue();
      raider.raid("/grown/f");
      lose(file, 7);
      try (FSDataInputStream in = drfs.open(then)) {
        assertThat(in.readAllBytes()).isEqualTo(bytes);
        assertThat(in.read(bytes.length - 10L, new byte[100], 0, 100)).isEqualTo(10);
        assertThat(in.read(bytes.length, new byte[100], 0, 100)).isEqualTo(-1);
        assertThatThrownBy(() -> in.readFully(bytes.length - 10L, new byte[100]))
            .isInstanceOf(EOFException.class);
      }
      assertThat(drfs.degradedReads().count()).isPositive();
    } finally {
      plain.deleteSnapshot(directory, "s");
      plain.disallowSnapshot(directory);
      plain.delete(directory, true);
    }
  }

  @Test
  void aBufferNeedNotBeginAtItsBeginning() throws Exception {
    Path file = raided("/files/far-into-a-buffer");
    lose(file, 1);
    int far = Integer.MAX_VALUE - 1_000;
    java.nio.file.Path sparse = Files.createTempFile("sparse", "");
    try (FileChannel channel = FileChannel.open(sparse, READ, WRITE);
        FSDataInputStream in = drfs.open(file)) {
      ByteBuffer buffer = channel.map(MapMode.READ_WRITE, 0, far + 200L).position(far);
      assertThat(in.read(blockSize - 100L, buffer)).isPositive();
      in.readFully(blockSize - 100L, buffer.position(far));
      byte[] read = new byte[200];
      buffer.get(far, read);
      assertThat(read).isEqualTo(range(blockSize - 100, blockSize + 100));
    } finally {
      Files.delete(sparse);
    }
  }

  @Test
  void withoutParityTheFailureOfHdfsIsThrown() throws Exception {
    Path file = new Path("/files/unprotected");
    RealHdfs.write(plain, "/files/unprotected", 1, blockSize, bytes);
    lose(file, 1);
    try (FSDataInputStream in = drfs.open(file)) {
      assertThat(in.readNBytes(blockSize)).isEqualTo(range(0, blockSize));
      assertThatThrownBy(() -> in.readNBytes(1)).isInstanceOf(BlockMissingException.class);
      assertThatThrownBy(() -> in.readFully(blockSize, new byte[1]))
          .isInstanceOf(BlockMissingException.class);
      in.seek(2L * blockSize);
      assertThat(in.readNBytes(100)).isEqualTo(range(2 * blockSize, 2 * blockSize + 100));
    }
    assertThat(drfs.degradedReads().count()).isZero();
  }

  @Test
  void moreLossesThanTheCodeBearsAreNamedBesideTheFailureOfHdfs() throws Exception {
    Path file = raided("/files/hopeless");
    for (int index = 0; index < 3; index++) {
      lose(file, index);
    }
    try (FSDataInputStream in = drfs.open(file)) {
      assertThatThrownBy(() -> in.readNBytes(1))
          .isInstanceOf(BlockMissingException.class)
          .satisfies(
              e ->
                  assertThat(e.getSuppressed())
                      .hasAtLeastOneElementOfType(UnrecoverableStripeException.class));
      in.seek(3L * blockSize);
      assertThat(in.readAllBytes()).isEqualTo(range(3 * blockSize, bytes.length));
    }
  }

  @Test
  void onlyWhoMayReadTheParityReadsThroughIt() throws Exception {
    Path file = raided("/files/private");
    plain.setOwner(file, "bob", "bobs");
    plain.setPermission(file, new FsPermission("640"));
    plain.setPermission(file.getParent(), new FsPermission("755"));
    raider.store().refreshAccess(namespace.file("/files/private").orElseThrow().inode());
    lose(file, 0);

    assertThat(readAs("bob", file)).isEqualTo(range(0, 100));
    assertThatThrownBy(() -> readAs("alice", file)).isInstanceOf(AccessControlException.class);

    plain.setPermission(file, new FsPermission("644")); // the parity is not refreshed yet
    assertThatThrownBy(() -> readAs("alice", file))
        .isInstanceOf(BlockMissingException.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .hasAtLeastOneElementOfType(AccessControlException.class));
  }

  @Test
  void usersReadThroughParityWhoseManifestLiesInSeveralFiles() throws Exception {
    Path file = new Path("/files/large");
    RealHdfs.write(plain, "/files/large", 1, blockSize, bytes);
    plain.setOwner(file, "bob", "bobs");
    raider.raid("/files/large", "c".repeat(1_000_000)); // makes the manifest large
    assertThat(plain.listStatus(new Path(ROOT, "manifest"))).hasSize(2);
    lose(file, 0);

    assertThat(readAs("bob", file)).isEqualTo(range(0, 100));
  }

  @Test
  void anEncryptedFileIsDecrypted() throws Exception {
    Path zone = new Path("/files/zone");
    plain.mkdirs(zone);
    new HdfsAdmin(hdfs.uri(), hdfs.configuration())
        .createEncryptionZone(zone, RealHdfs.KEY, EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
    Path file = raided("/files/zone/f");
    assertThat(namespace.file("/files/zone/f").orElseThrow().encrypted()).isTrue();
    lose(file, 1);
    lose(file, 7);

    try (FSDataInputStream in = drfs.open(file)) {
      byte[] read = new byte[1001];
      in.readFully(blockSize + 77, read);
      assertThat(read).isEqualTo(range(blockSize + 77, blockSize + 77 + 1001));
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    assertThat(drfs.degradedReads().count()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rs-3-2", "less-4-2"})
  void anEncryptedFileIsReadInEveryWay(String codec) throws Exception {
    Path zone = new Path("/files/zone-" + codec);
    plain.mkdirs(zone);
    new HdfsAdmin(hdfs.uri(), hdfs.configuration())
        .createEncryptionZone(zone, RealHdfs.KEY, EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
    Path file = new Path(zone, "f");
    RealHdfs.write(plain, file.toString(), 1, blockSize, bytes);
    try (HandRaider coder = new HandRaider(hdfs, ROOT, codec)) {
      coder.raid(file.toString());
    }
    FileChecksum checksum = plain.getFileChecksum(file);
    lose(file, 1);
    int at = blockSize - 500;
    byte[] expected = range(at, at + 1_000);

    try (FSDataInputStream in = drfs.open(file)) {
      ByteBuffer direct = ByteBuffer.allocateDirect(1_000);
      in.readFully(at, direct);
      assertBytes(direct.flip(), expected, "into a buffer, by position");
      ByteBuffer heap = ByteBuffer.allocate(1_000);
      in.seek(at);
      while (heap.hasRemaining()) {
        assertThat(in.read(heap)).isPositive();
      }
      assertBytes(heap.flip(), expected, "into a buffer");
      FileRange range = FileRange.createFileRange(at, 1_000);
      in.readVectored(List.of(range), ByteBuffer::allocate);
      assertBytes(range.getData().get(), expected, "vectored");
      in.unbuffer();
      in.seek(at);
      assertThat(in.readNBytes(1_000)).as("after unbuffer").isEqualTo(expected);
      assertThat(in.seekToNewSource(blockSize + 10L)).isFalse();
      assertThat(in.readNBytes(10)).isEqualTo(range(blockSize + 10, blockSize + 20));
    }
    assertThat(drfs.getFileChecksum(file)).isEqualTo(checksum);
  }

  private static void assertBytes(ByteBuffer read, byte[] expected, String how) {
    byte[] copy = new byte[read.remaining()];
    read.duplicate().get(copy);
    assertThat(copy).as(how).isEqualTo(expected);
  }

  @Test
  void aFileThatTookTheNameOfTheOpenOneIsNeverReadInItsPlace() throws Exception {
    Path file = raided("/files/replaced");
    lose(file, 1);
    try (FSDataInputStream in = drfs.open(file)) {
      assertThat(in.readNBytes(10)).isEqualTo(range(0, 10));
      plain.delete(file, false);
      RealHdfs.write(plain, "/files/replaced", 1, blockSize, RealHdfs.bytes(99, bytes.length));
      raider.raid("/files/replaced");

      in.seek(blockSize + 10);
      assertThatThrownBy(() -> in.readNBytes(10)).isInstanceOf(IOException.class);
    }
    assertThat(drfs.degradedReads().count()).isZero();
  }

  @Test
  void theSchemeOfItsOwnIsHdfsOtherwise() throws Exception {
    Path file = raided("/files/scheme");
    lose(file, 0);
    URI raid = URI.create("raid://" + hdfs.uri().getAuthority());
    Path qualified = new Path(raid + "/files/scheme");
    try (FileSystem fs = FileSystem.newInstance(raid, configuration())) {
      assertThat(fs.getUri()).isEqualTo(raid);
      assertThat(fs.getScheme()).isEqualTo("raid");
      assertThat(fs.getFileStatus(new Path("/files/scheme")).getPath()).isEqualTo(qualified);
      assertThat(fs.listStatus(new Path(raid + "/files"))[0].getPath()).isEqualTo(qualified);
      try (FSDataInputStream in = fs.open(qualified)) {
        assertThat(in.readAllBytes()).isEqualTo(bytes);
      }
    }
    FileContext context = FileContext.getFileContext(raid, configuration());
    try (FSDataInputStream in = context.open(qualified)) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
  }
}
