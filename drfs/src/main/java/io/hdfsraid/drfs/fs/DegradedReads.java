// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.hdfs.FileChecksums;
import io.hdfsraid.drfs.hdfs.HadoopTypes;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.stripe.HelperPace;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoInputStream;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * The degraded reads of one client: its threads and memory, and what its streams have learned about
 * lost blocks and slow nodes. Safe for concurrent use.
 */
final class DegradedReads implements Closeable {
  private final DistributedFileSystem fileSystem;
  private final ReadRetryPolicy patience;
  private final HelperThreads executor = new HelperThreads();
  private final DegradedReadStatistics statistics = new DegradedReadStatistics();
  private final int largestWindow;
  private final WindowMemory windowMemory;
  private final LateReads lateReads;
  private final LostBlocks lostBlocks;
  private final LostBlockFinder finder;

  /**
   * @param fileSystem does not do degraded reads itself in the calls that are made here
   * @param conf as the application gave it
   */
  DegradedReads(DistributedFileSystem fileSystem, Configuration conf) {
    ReadSettings settings = ReadSettings.of(conf);
    this.fileSystem = fileSystem;
    this.patience = ReadRetryPolicy.of(conf);
    this.largestWindow = settings.largestWindow();
    this.windowMemory = new WindowMemory(settings.windows(), System::nanoTime);
    this.lateReads = new LateReads(settings.patienceWithHdfs(), executor);
    this.lostBlocks = new LostBlocks(settings.lostBlocks(), patience);
    this.finder =
        new LostBlockFinder(
            fileSystem,
            conf.getTrimmed(DistributedRaidFileSystem.ROOT, ParitySettings.DEFAULT_ROOT),
            Optional.ofNullable(conf.getTrimmed(DistributedRaidFileSystem.RACK)),
            executor,
            new HelperPace(patience.lost(), settings.deadline(), System::nanoTime),
            settings.rows(),
            statistics);
  }

  DegradedReadStatistics statistics() {
    return statistics;
  }

  /**
   * Adds degraded reads to a stream of HDFS.
   *
   * @param path absolute; may be an inode path
   * @param bytesRead where rebuilt bytes are counted as read
   */
  RaidDataInputStream of(String path, HdfsDataInputStream hdfs, FileSystem.Statistics bytesRead) {
    Caller opener = Caller.current();
    RaidInputStream bytes =
        new RaidInputStream(
            path,
            hdfs,
            new Lookup(path, hdfs, opener),
            patience,
            lateReads,
            executor.onBehalfOf(opener),
            () -> HedgedReadsOfHdfs.areEnabled(fileSystem.getClient()),
            new Readahead(largestWindow),
            new Windows(executor, windowMemory, System::nanoTime),
            rebuilt -> {
              bytesRead.incrementBytesRead(rebuilt);
              hdfs.getReadStatistics().addRemoteBytes(rebuilt);
            });
    bytes.expect(lostBlocks.of(path));
    return RaidDataInputStream.of(hdfs, bytes);
  }

  /** Finds the lost blocks of one open file. */
  private final class Lookup implements RaidInputStream.LostBlockLookup {
    private final String path;
    private final HdfsDataInputStream hdfs;
    private final Caller opener;

    /** The inode id of the file; empty until a lost block of it was found. */
    private volatile OptionalLong inode = OptionalLong.empty();

    Lookup(String path, HdfsDataInputStream hdfs, Caller opener) {
      this.path = path;
      this.hdfs = hdfs;
      this.opener = opener;
    }

    /** Whether the NameNode has given all blocks to the call that opened the file. */
    private boolean hasAllBlocks() {
      return hdfs.getVisibleLength() <= fileSystem.getClient().getConf().getPrefetchSize();
    }

    /**
     * Whether only the blocks that HDFS's client has will do. To list all blocks of a long file is
     * work for the NameNode, but by path another file may answer, and nothing tells it apart until
     * the inode id of this one is known.
     */
    private boolean needsOwnBlocks() {
      return hasAllBlocks() || inode.isEmpty();
    }

    @Override
    public Optional<LocatedBlock> at(long position) throws IOException {
      return at(
          position,
          needsOwnBlocks()
              ? hdfs.getAllBlocks()
              : fileSystem.getClient().getLocatedBlocks(path, position, 1).getLocatedBlocks());
    }

    private static Optional<LocatedBlock> at(long position, List<LocatedBlock> blocks) {
      return blocks.stream()
          .filter(block -> position >= block.getStartOffset())
          .filter(block -> position < block.getStartOffset() + block.getBlockSize())
          .findFirst();
    }

    @Override
    public Optional<LostBlock> find(LocatedBlock block) throws IOException {
      Optional<LostBlock> lost = lostBlocks.getOrFind(path, block, () -> lookUp(block));
      return lost.isPresent() && isOfThisFile(lost.get()) ? lost : Optional.empty();
    }

    /**
     * Whether the block is of the file that was opened. If another file has taken the path since,
     * HDFS's client asks it for further blocks, and so does another stream.
     */
    private boolean isOfThisFile(LostBlock lost) throws IOException {
      LostBlock.Owner owner = lost.owner();
      if (inode.isPresent()) {
        return inode.getAsLong() == owner.inode();
      }
      List<LocatedBlock> opened = hdfs.getAllBlocks();
      if (opened.isEmpty() || !HadoopTypes.block(opened.get(0).getBlock()).equals(owner.first())) {
        return false;
      }
      inode = OptionalLong.of(owner.inode());
      return true;
    }

    @Override
    public boolean isHere(LostBlock found) throws IOException {
      return at(found.start(), hdfs.getAllBlocks())
              .flatMap(block -> lostBlocks.get(path, block))
              .filter(found::equals)
              .isPresent()
          && isOfThisFile(found);
    }

    /** HDFS's client asks for further blocks by path, and may be given those of another file. */
    @Override
    public boolean survivesRename() {
      return inode.isPresent() && hasAllBlocks();
    }

    private Optional<LostBlock> lookUp(LocatedBlock block) throws IOException {
      List<LocatedBlock> opened = needsOwnBlocks() ? hdfs.getAllBlocks() : List.of(block);
      Optional<LostBlockFinder.Found> stored = finder.find(path, inode, block, opened);
      if (stored.isEmpty()) {
        return Optional.empty();
      }
      long start = block.getStartOffset();
      Optional<FileEncryptionInfo> key = key(hdfs);
      LostBlock.Contents contents = stored.get().contents();
      if (key.isPresent()) {
        // As HDFS does at the open. The key server asks who the current user is.
        contents =
            opener.ask(() -> Decryption.of(stored.get().contents(), start, key.get(), fileSystem));
      }
      return Optional.of(new LostBlock(stored.get().file(), start, block.getBlockSize(), contents));
    }

    @Override
    public void failed(LostBlock lost) {
      lostBlocks.forget(lost);
    }
  }

  private static Optional<FileEncryptionInfo> key(HdfsDataInputStream hdfs) {
    InputStream wrapped = hdfs.getWrappedStream();
    return wrapped instanceof CryptoInputStream encrypted
            && encrypted.getWrappedStream() instanceof DFSInputStream ciphertext
        ? Optional.of(ciphertext.getFileEncryptionInfo())
        : Optional.empty();
  }

  /** Returns a way to the stored bytes of lost blocks of the file, for its checksum. */
  FileChecksums.Rebuilding stored(String path) {
    return block -> finder.find(path, block).map(found -> found.contents()::read);
  }

  @Override
  public void close() {
    lateReads.close();
    executor.shutdown();
  }
}
