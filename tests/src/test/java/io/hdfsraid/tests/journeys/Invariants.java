// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.KnownFaults;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.hdfs.HdfsParityStore;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidnode.hdfs.FsckBlockHolders;
import io.hdfsraid.raidnode.hdfs.HdfsDetachedBlocks;
import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import io.hdfsraid.raidnode.traffic.NameNodeCalls;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * What must hold on a cluster with raided files, looked at from outside: by a plain client, by what
 * the NameNode believes, and by the bytes on the disks of the DataNodes. Knows no daemon and no
 * catalog, so it may be asked at any time, from any thread; a cluster that is at work may need a
 * moment until what it is asked holds.
 *
 * <p>Every check throws {@code AssertionError} that names path, block and stripe.
 */
final class Invariants implements AutoCloseable {
  /**
   * Who appends where the NameNode has just begun to make more replicas gets a pipeline of two, and
   * a block that a writer has filled is copied no further until the file is closed.
   */
  private static final int REPLICAS_OF_AN_OPEN_FILE = 2;

  private final EmbeddedHdfs hdfs;
  private final String root;
  private final HdfsNamespace namespace;
  private final HdfsParityStore parity;
  private final IntegrityCheck check;
  private final ExecutorService reads = Executors.newCachedThreadPool();
  private final StripeRebuilder rebuilder =
      new StripeRebuilder(new Disks(), reads, LocatedBlock::live, RowMemory.UNLIMITED);

  Invariants(EmbeddedHdfs hdfs, ParitySettings settings) throws IOException {
    this.hdfs = hdfs;
    this.root = settings.root();
    this.namespace = new HdfsNamespace(hdfs.fileSystem());
    this.parity = HdfsParityStore.open(hdfs.uri(), hdfs.configuration(), settings);
    BlockHolders holders =
        new FsckBlockHolders(hdfs.fileSystem(), hdfs.configuration(), new NameNodeCalls());
    this.check =
        new IntegrityCheck(
            namespace,
            new StripeLocator(Codecs::parse),
            new Disks(),
            KnownFaults.NONE,
            new HdfsDetachedBlocks(hdfs.fileSystem(), namespace, holders),
            reads);
  }

  /**
   * A plain client reads exactly these bytes, and the file has exactly their length.
   *
   * @param path may lie in a snapshot
   */
  void readable(String path, byte[] expected) throws IOException {
    byte[] read;
    try (FSDataInputStream in = hdfs.fileSystem().open(new Path(path))) {
      read = in.readAllBytes();
    } catch (IOException e) {
      throw new AssertionError("A plain client cannot read %s: %s".formatted(path, e), e);
    }
    int differs = Arrays.mismatch(read, expected);
    require(
        differs < 0,
        () ->
            "A plain client reads other bytes from %s: %d instead of %d, different from byte %d on"
                .formatted(path, read.length, expected.length, differs));
  }

  /**
   * Every block of the file either has so many replicas that will stay, or is covered: committed
   * parity names exactly this block, no unit of its stripe is lost, and the others decode to its
   * bytes. The stripe is located as for a repair: what only the path shows protects nothing.
   *
   * @param path may lie in a snapshot
   * @param expected its bytes, or the first of them where it is open for writing
   * @param replicas what a file without parity has
   */
  void protectedAgainstLoss(String path, byte[] expected, int replicas) throws IOException {
    LocatedFile file = file(path);
    Map<Block, Cover> covers = new HashMap<>();
    cover(file, covers);
    int from = 0;
    for (LocatedBlock located : closedBlocks(file)) {
      Block block = located.block();
      int to = (int) Math.min(expected.length, from + block.length());
      int stay = hdfs.replicasThatStay(block.id());
      int wanted =
          file.underConstruction() ? Math.min(replicas, REPLICAS_OF_AN_OPEN_FILE) : replicas;
      if (stay < replicas && (covers.containsKey(block) || stay < wanted)) {
        require(
            covers.containsKey(block),
            () ->
                "%s of %s has %d replicas that stay, not %d, and no parity covers it: %s"
                    .formatted(block, path, stay, wanted, covers.keySet()));
        covers.get(block).requireDecodes(path, Arrays.copyOfRange(expected, from, to));
      }
      from = to;
    }
  }

  /** The last block of a file that is open is in the hands of its writer. */
  private static List<LocatedBlock> closedBlocks(LocatedFile file) {
    return file.underConstruction()
        ? file.blocks().subList(0, file.blocks().size() - 1)
        : file.blocks();
  }

  /** A unit of a stripe that is to protect a block. */
  private record Cover(StripeRebuilder rebuilder, LocatedStripe stripe, StripeUnit unit) {
    void requireDecodes(String path, byte[] expected) throws IOException {
      for (StripeUnit other : stripe.units()) {
        require(
            other.state() == UnitState.LIVE || other.state() == UnitState.ABSENT,
            () ->
                "%s is to be protected by %s, but its unit %d is %s"
                    .formatted(path, stripe, other.unit(), other.state()));
      }
      ByteBuffer decoded = ByteBuffer.allocate((int) unit.length());
      rebuilder.read(stripe, unit.unit(), 0, decoded, ReadCost.UNIFORM);
      // A snapshot shows less of a block that was appended to since.
      require(
          Arrays.equals(expected, Arrays.copyOf(decoded.array(), expected.length)),
          () ->
              "Unit %d of %s does not decode to the bytes of %s"
                  .formatted(unit.unit(), stripe, path));
    }
  }

  private void cover(LocatedFile file, Map<Block, Cover> covers) throws IOException {
    Optional<ParityFile> own = parity.find(file.inode());
    if (own.isPresent()) {
      for (LocatedStripe stripe : check.locate(own.get())) {
        for (StripeUnit unit : stripe.units()) {
          if (!stripe.codec().shape().isParity(unit.unit())) {
            unit.located()
                .ifPresent(
                    located -> covers.put(located.block(), new Cover(rebuilder, stripe, unit)));
          }
        }
      }
    }
  }

  /** The live file has parity of its own. */
  boolean hasParity(String path) throws IOException {
    return parity.find(file(path).inode()).isPresent();
  }

  /** The replication that each of these files has, by path. */
  Map<String, Integer> replications(Iterable<String> paths) throws IOException {
    Map<String, Integer> replications = new HashMap<>();
    for (String path : paths) {
      replications.put(path, file(path).replication());
    }
    return replications;
  }

  /**
   * Below the root there is nothing that nobody needs: no draft, no parity none of whose blocks
   * exists in any file or snapshot, and nothing in quarantine all of whose blocks have the replicas
   * they had. Holds after a pass of the janitor whose quarantine has no duration, while no file is
   * being raided.
   */
  void nothingLeftOver() throws IOException {
    List<String> left = new ArrayList<>();
    files(root + "/tmp", left::add);
    parity.forEachQuarantined(
        file -> {
          if (blocks(file).noneMatch(block -> lacksReplicas(file, block))) {
            left.add(file.file().path());
          }
        });
    for (long inode : parityInodes()) {
      ParityFile file = parity.find(inode).orElse(null);
      boolean needed = file == null || blocks(file).anyMatch(hdfs::knowsBlock);
      if (!needed) {
        left.add("the parity of inode %d, none of whose blocks exists".formatted(inode));
      }
    }
    require(left.isEmpty(), () -> "Nobody needs, and yet there is: %s".formatted(left));
  }

  private static LongStream blocks(ParityFile file) {
    return file.manifest().stripes().stream()
        .flatMap(stripe -> stripe.data().stream())
        .mapToLong(unit -> unit.block().id());
  }

  private boolean lacksReplicas(ParityFile file, long block) {
    return hdfs.knowsBlock(block)
        && hdfs.replicasThatStay(block) < file.manifest().originalReplication();
  }

  private List<Long> parityInodes() throws IOException {
    List<Long> inodes = new ArrayList<>();
    parity.forEach(inodes::add);
    return inodes;
  }

  private void files(String below, Consumer<String> visitor) throws IOException {
    Path top = new Path(below);
    if (!hdfs.fileSystem().exists(top)) {
      return;
    }
    RemoteIterator<LocatedFileStatus> files = hdfs.fileSystem().listFiles(top, true);
    while (files.hasNext()) {
      visitor.accept(files.next().getPath().toUri().getPath());
    }
  }

  private LocatedFile file(String path) throws IOException {
    return namespace.file(path).orElseThrow(() -> new AssertionError("There is no file " + path));
  }

  private static void require(boolean holds, Supplier<String> otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise.get());
    }
  }

  /** Replicas as they lie on the disks, so that nothing of what is tested reads them. */
  private final class Disks implements DataNodes {
    @Override
    public BlockInput open(Block block, Replica replica, long offset, long length)
        throws IOException {
      FileChannel data =
          FileChannel.open(
              hdfs.dataFile(block.id(), hdfs.dataNodeAt(replica.node().address()).index()));
      data.position(offset);
      return new BlockInput() {
        @Override
        public void readFully(ByteBuffer target) throws IOException {
          while (target.hasRemaining()) {
            if (data.read(target) < 0) {
              throw new EOFException("%s on %s is cut".formatted(block, replica.node()));
            }
          }
        }

        @Override
        public void close() throws IOException {
          data.close();
        }
      };
    }

    @Override
    public int checksum(Block block, Replica replica) {
      throw new UnsupportedOperationException("Disks know no checksums");
    }
  }

  @Override
  public void close() {
    reads.shutdownNow();
    parity.close();
  }
}
