package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.hdfs.FileChecksums;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.stripe.HelperPace;
import io.hdfsraid.drfs.stripe.RowMemory;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoInputStream;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The degraded reads of one client: its threads and memory, and what its streams have learned about
 * lost blocks and slow nodes. Safe for concurrent use.
 */
final class DegradedReads implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(DegradedReads.class);

  private final DistributedFileSystem fileSystem;
  private final ReadRetryPolicy patience;
  private final ExecutorService executor = new HelperThreads();
  private final DegradedReadStatistics statistics = new DegradedReadStatistics();
  private final int largestWindow;
  private final RowMemory windowMemory;
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
    this.windowMemory = settings.windows();
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
    RaidInputStream bytes =
        new RaidInputStream(
            path,
            hdfs,
            new Lookup(path, hdfs),
            patience,
            lateReads,
            () -> HedgedReadsOfHdfs.areEnabled(fileSystem.getClient()),
            new Readahead(largestWindow),
            new Windows(executor, windowMemory),
            rebuilt -> {
              bytesRead.incrementBytesRead(rebuilt);
              hdfs.getReadStatistics().addRemoteBytes(rebuilt);
            });
    if (lostBlocks.haveAnyOf(path)) {
      bytes.remember(knownLost(path, hdfs));
    }
    return RaidDataInputStream.of(hdfs, bytes);
  }

  private List<LostBlock> knownLost(String path, HdfsDataInputStream hdfs) {
    try {
      return lostBlocks.among(path, hdfs.getAllBlocks());
    } catch (IOException e) {
      LOG.debug("The lost blocks of {} will be found when they are read", path, e);
      return List.of();
    }
  }

  /** Finds the lost blocks of one open file. */
  private final class Lookup implements RaidInputStream.LostBlockLookup {
    private final String path;
    private final HdfsDataInputStream hdfs;

    Lookup(String path, HdfsDataInputStream hdfs) {
      this.path = path;
      this.hdfs = hdfs;
    }

    @Override
    public Optional<LostBlock> find(LocatedBlock block) throws IOException {
      return lostBlocks.getOrFind(path, block, () -> lookUp(block));
    }

    private Optional<LostBlock> lookUp(LocatedBlock block) throws IOException {
      Optional<LostBlock.Contents> stored = finder.find(path, block, hdfs.getAllBlocks());
      if (stored.isEmpty()) {
        return Optional.empty();
      }
      long start = block.getStartOffset();
      Optional<FileEncryptionInfo> key = key(hdfs);
      LostBlock.Contents contents =
          key.isPresent()
              ? Decryption.of(stored.get(), start, key.get(), fileSystem)
              : stored.get();
      return Optional.of(new LostBlock(start, block.getBlockSize(), contents));
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
    return block -> finder.find(path, block, List.of()).map(contents -> contents::read);
  }

  @Override
  public void close() {
    lateReads.close();
    executor.shutdown();
  }
}
