package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.hdfs.ParitySettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoInputStream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileEncryptionInfo;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSInputStream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * HDFS, whose files stay readable while blocks of theirs are lost: what HDFS cannot read is rebuilt
 * from the stripe, as far as the user may read its other units. Where there is no parity, or the
 * user may not read it, this is HDFS.
 *
 * <p>Chosen by {@code fs.hdfs.impl}, or by {@code fs.raid.impl} for paths of scheme {@code raid},
 * which are those of scheme {@code hdfs} otherwise.
 */
public class DistributedRaidFileSystem extends DistributedFileSystem {
  /** Where the parity is; {@value ParitySettings#DEFAULT_ROOT} unless set. */
  public static final String ROOT = "raid.root";

  /**
   * Network location of this machine, for applications on machines without a DataNode; not set:
   * that of the DataNode on it.
   */
  public static final String RACK = "raid.rack";

  private static final String HDFS = "hdfs";

  private final DegradedReads degradedReads = new DegradedReads();
  private String scheme = HDFS;
  private Patience patience;
  private ExecutorService executor;
  private LostBlocks lostBlocks;

  @Override
  public void initialize(URI uri, Configuration conf) throws IOException {
    scheme = uri.getScheme();
    patience = Patience.of(conf);
    super.initialize(withScheme(HDFS, uri), Patience.without(conf));
    executor = Executors.newCachedThreadPool(new HelperThreads());
    lostBlocks =
        new LostBlocks(
            this,
            conf.getTrimmed(ROOT, ParitySettings.DEFAULT_ROOT),
            Optional.ofNullable(conf.getTrimmed(RACK)),
            executor,
            degradedReads);
  }

  private static URI withScheme(String scheme, URI uri) {
    String authority = uri.getRawAuthority();
    return URI.create(scheme + "://" + (authority == null ? "/" : authority));
  }

  private static final class HelperThreads implements ThreadFactory {
    private final AtomicInteger started = new AtomicInteger();

    @Override
    public Thread newThread(Runnable work) {
      Thread thread = new Thread(work, "degraded-read-" + started.incrementAndGet());
      thread.setDaemon(true); // no application waits for them to end
      return thread;
    }
  }

  @Override
  public String getScheme() {
    return scheme;
  }

  @Override
  public URI getUri() {
    URI uri = super.getUri();
    return uri == null || scheme.equals(HDFS) ? uri : withScheme(scheme, uri);
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    FSDataInputStream opened = super.open(path, bufferSize);
    if (!(opened instanceof HdfsDataInputStream hdfs)) {
      return opened; // a symbolic link led to another file system
    }
    String file = fixRelativePart(path).toUri().getPath();
    return RaidDataInputStream.of(
        hdfs, new RaidInputStream(file, hdfs, block -> find(file, block, hdfs), patience));
  }

  private Optional<LostBlock> find(String path, LocatedBlock block, HdfsDataInputStream hdfs)
      throws IOException {
    Optional<LostBlock.Contents> stored = lostBlocks.find(path, block);
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    long start = block.getStartOffset();
    Optional<FileEncryptionInfo> key = key(hdfs);
    LostBlock.Contents contents =
        key.isPresent() ? Decryption.of(stored.get(), start, key.get(), this) : stored.get();
    return Optional.of(new LostBlock(start, block.getBlockSize(), contents));
  }

  private static Optional<FileEncryptionInfo> key(HdfsDataInputStream hdfs) {
    InputStream wrapped = hdfs.getWrappedStream();
    return wrapped instanceof CryptoInputStream encrypted
            && encrypted.getWrappedStream() instanceof DFSInputStream ciphertext
        ? Optional.of(ciphertext.getFileEncryptionInfo())
        : Optional.empty();
  }

  /** What was read through parity since this file system was opened. */
  public DegradedReads degradedReads() {
    return degradedReads;
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      if (executor != null) {
        executor.shutdown();
      }
    }
  }
}
