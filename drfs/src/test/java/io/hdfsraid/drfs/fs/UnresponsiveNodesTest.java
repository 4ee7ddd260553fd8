// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.hdfs.RealHdfs;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.ElasticByteBufferPool;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.functional.FutureIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Reads while a DataNode does not answer. HDFS's client would wait for a minute each time ({@code
 * dfs.client.socket-timeout}), which the time limits here do not allow.
 */
class UnresponsiveNodesTest extends RaidedFiles {
  private static final Duration LONGEST = Duration.ofSeconds(20);

  UnresponsiveNodesTest(EmbeddedHdfs hdfs) {
    super(RealHdfs.BLOCK, hdfs);
  }

  @Test
  @Timeout(30)
  void aHelperThatHangsIsReadAroundAndLeftOutByTheNextStreams() throws Exception {
    Path file = raidedApart("/files/hung-helper", 2, 1);
    lose(file, 1);
    try (HungBlock helper = new HungBlock(block(file, 2))) {
      readAt(drfs, file, blockSize);
      assertThat(helper.isAsked()).isTrue();
      long asked = helper.asked();
      for (int i = 1; i <= 10; i++) {
        readAt(drfs, file, blockSize + 1_000L * i);
      }
      assertThat(helper.asked()).isEqualTo(asked);
    }
  }

  /** In the first ten minutes after a node has died, the NameNode still sends readers there. */
  @Test
  @Timeout(60)
  void aNodeThatTheNameNodeBelievesAliveCostsTheNameNodeNoFurtherCalls() throws Exception {
    Path warming = raided("/files/warming"); // once per client: how to connect to DataNodes
    lose(warming, 4);
    readAt(drfs, warming, 4L * blockSize);
    Path file = raidedApart("/files/died");
    int node = node(block(file, 1));
    hdfs.stopDataNode(node);
    try {
      Map<String, Long> before = hdfs.settledNameNodeCalls();
      readAt(drfs, file, blockSize + 1_000L);
      assertCalls(
          before,
          Map.of(
              "getBlockLocations", 3L,
              "getLocatedFileInfo", 2L,
              "getXAttrs", 1L,
              "getFileInfo", 1L));
      before = hdfs.settledNameNodeCalls();
      readAt(drfs, file, blockSize + 20_000L);
      assertCalls(before, Map.of("getBlockLocations", 1L, "getFileInfo", 1L));
      assertThat(block(file, 1).live()).as("as the NameNode knows it").hasSize(1);
    } finally {
      hdfs.restartDataNode(node);
    }
  }

  @Test
  @Timeout(30)
  void aReadWithoutACopyWaitsForAHungNodeOnce() throws Exception {
    Path file = raidedApart("/files/hung-zero-copy");
    Configuration impatient = configuration();
    // HDFS's client takes an interrupt on a connection of its cache for one that has gone stale.
    // It then asks over each other connection that it has there, so this client begins with none.
    impatient.set("dfs.client.context", "hung-zero-copy");
    int untilItHasAskedForSure = 6_000;
    impatient.setInt(ReadSettings.DEADLINE, untilItHasAskedForSure);
    try (HungBlock hung = new HungBlock(block(file, 1));
        FileSystem fs = FileSystem.newInstance(hdfs.uri(), impatient);
        FSDataInputStream in = fs.open(file)) {
      in.seek(blockSize);
      ByteBuffer read =
          in.read(new ElasticByteBufferPool(), 1_000, EnumSet.noneOf(ReadOption.class));
      byte[] copy = new byte[read.remaining()];
      read.duplicate().get(copy);
      assertThat(copy).isEqualTo(range(blockSize, blockSize + copy.length));
      in.releaseBuffer(read);
      int byTheReaderAndToReportIt = 2;
      RealHdfs.await("the replica is looked at", () -> hung.asked() == byTheReaderAndToReportIt);
      in.unbuffer();
      in.readFully(new byte[1_000]);
      assertThat(hung.asked()).as("after unbuffer").isEqualTo(byTheReaderAndToReportIt);
    }
  }

  /** How a node is silent. */
  private enum Silence {
    /** Its process is stopped: the kernel takes connections that nobody serves. */
    FROZEN(50),
    /** Nothing answers a request to connect. */
    WITHOUT_POWER(1);

    private final int backlog;

    Silence(int backlog) {
      this.backlog = backlog;
    }
  }

  /** A port that takes some connections and serves none. */
  private static final class DeadPort implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket();
    private final List<SocketChannel> connections = new ArrayList<>();

    DeadPort(InetSocketAddress address, Silence silence) throws IOException {
      socket.setReuseAddress(true);
      socket.bind(address, silence.backlog);
      if (silence == Silence.WITHOUT_POWER) {
        for (int i = 0; i < 2 * silence.backlog + 1; i++) { // the kernel takes one more than asked
          SocketChannel connection = SocketChannel.open();
          connection.configureBlocking(false);
          boolean unused = connection.connect(address);
          connections.add(connection);
        }
      }
    }

    /** Whether the node is as silent as it should be. */
    boolean isSilent(Silence silence) throws IOException {
      return silence == Silence.FROZEN || !connections.get(connections.size() - 1).finishConnect();
    }

    @Override
    public void close() throws IOException {
      for (SocketChannel connection : connections) {
        connection.close();
      }
      socket.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  @Timeout(40)
  void aNodeThatIsSilentHoldsNoReaderUpForLong(Silence silence) throws Exception {
    Path file = raidedApart("/files/silent-" + silence);
    Configuration impatient = configuration();
    impatient.setInt(ReadSettings.DEADLINE, 1_500);
    DataNode dataNode = block(file, 1).live().get(0).node();
    int node = node(block(file, 1));
    hdfs.stopDataNode(node);
    try (DeadPort port = new DeadPort(NetUtils.createSocketAddr(dataNode.address()), silence);
        DistributedFileSystem fs =
            (DistributedFileSystem) FileSystem.newInstance(hdfs.uri(), impatient)) {
      assertThat(port.isSilent(silence)).isTrue();
      for (int i = 0; i < 10; i++) {
        readAt(fs, file, blockSize + 1_000L * i);
      }
      try (FSDataInputStream in = fs.open(file)) {
        in.seek(blockSize);
        assertThat(in.readNBytes(blockSize)).isEqualTo(range(blockSize, 2 * blockSize));
      }
    } finally {
      hdfs.restartDataNode(node);
    }
  }

  /** Ways to read from a lost block. */
  private enum Read {
    SEQUENTIAL {
      @Override
      void of(FSDataInputStream in, long at, byte[] target) throws IOException {
        in.seek(at);
        in.readFully(target);
      }
    },
    POSITIONED {
      @Override
      void of(FSDataInputStream in, long at, byte[] target) throws IOException {
        in.readFully(at, target);
      }
    },
    VECTORED {
      @Override
      void of(FSDataInputStream in, long at, byte[] target) throws IOException {
        FileRange range = FileRange.createFileRange(at, target.length);
        in.readVectored(List.of(range), ByteBuffer::allocate);
        FutureIO.awaitFuture(range.getData()).get(target);
      }
    };

    abstract void of(FSDataInputStream in, long at, byte[] target) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void whoReadsALostBlockCanBeInterruptedAndStaysSo(Read read) throws Exception {
    Path file = raidedApart("/files/interrupted");
    lose(file, 0);
    lose(file, 1);
    try (HungBlock helper = new HungBlock(block(file, 2));
        FSDataInputStream in = drfs.open(file)) {
      AtomicBoolean interrupted = new AtomicBoolean();
      Throwable failure =
          failureOf(
              () -> {
                try {
                  read.of(in, blockSize, new byte[blockSize]);
                } finally {
                  interrupted.set(Thread.currentThread().isInterrupted());
                }
              },
              helper,
              Thread::interrupt);
      assertThat(failure)
          .isInstanceOfAny(InterruptedIOException.class, ClosedByInterruptException.class);
      assertThat(interrupted).isTrue();
    }
  }

  /** Nothing can replace the helper, and it does not come back. */
  @ParameterizedTest
  @EnumSource
  void aStreamThatIsClosedUnderItsReaderEndsTheRead(Read read) throws Exception {
    Path file = raidedApart("/files/closed-under-a-reader");
    lose(file, 0);
    lose(file, 1);
    Configuration impatient = configuration();
    impatient.setInt(ReadSettings.DEADLINE, 2_000);
    try (HungBlock helper = new HungBlock(block(file, 2));
        FileSystem fs = FileSystem.newInstance(hdfs.uri(), impatient)) {
      FSDataInputStream in = fs.open(file);
      assertThat(
              failureOf(
                  () -> read.of(in, blockSize, new byte[blockSize]), helper, reader -> in.close()))
          .isInstanceOf(IOException.class);
    }
  }

  private interface Reading {
    void run() throws IOException;
  }

  private interface Disturbance {
    void of(Thread reader) throws IOException;
  }

  /** Disturbs a reader that waits for a block, and returns what it has met. */
  private static Throwable failureOf(Reading reading, HungBlock block, Disturbance disturbance)
      throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                reading.run();
              } catch (IOException | RuntimeException e) {
                failure.set(e);
              }
            });
    reader.start();
    RealHdfs.await("the block is asked for", block::isAsked);
    disturbance.of(reader);
    reader.join(LONGEST.toMillis());
    assertThat(reader.isAlive()).isFalse();
    return failure.get();
  }
}
