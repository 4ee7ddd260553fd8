// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.cluster;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.embedded.Pause;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;

/**
 * The HDFS of a benchmark, its source files, and the bytes that its DataNodes have read and
 * written.
 */
public final class BenchCluster {
  private static final Path SOURCES = new Path("/sources");
  private static final int REPLICATION = 3;
  private static final int CHUNK = 1 << 20;
  private static final long SEED = 14978;
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  private final EmbeddedHdfs hdfs;
  private final BenchSettings settings;
  private final WorkerPool crew;

  BenchCluster(EmbeddedHdfs hdfs, BenchSettings settings, WorkerPool crew) {
    this.hdfs = hdfs;
    this.settings = settings;
    this.crew = crew;
  }

  public EmbeddedHdfs hdfs() {
    return hdfs;
  }

  public BenchSettings settings() {
    return settings;
  }

  public WorkerPool crew() {
    return crew;
  }

  public List<Path> sources() {
    return IntStream.range(0, settings.files())
        .mapToObj(file -> new Path(SOURCES, Integer.toString(file)))
        .toList();
  }

  /** Writes all source files anew, as any client would. */
  public void load() throws IOException {
    load(sources());
  }

  /** Writes these source files anew. */
  public void load(List<Path> sources) throws IOException {
    List<Callable<Void>> writes = new ArrayList<>();
    for (Path source : sources) {
      writes.add(
          () -> {
            write(source);
            return null;
          });
    }
    crew.run(writes);
  }

  private void write(Path source) throws IOException {
    byte[] chunk = new byte[CHUNK];
    new SplittableRandom(SEED + source.hashCode()).nextBytes(chunk);
    try (OutputStream out =
        hdfs.fileSystem().create(source, true, CHUNK, (short) REPLICATION, settings.blockBytes())) {
      for (long left = settings.fileBytes(); left > 0; left -= chunk.length) {
        out.write(chunk, 0, (int) Math.min(chunk.length, left));
      }
    }
  }

  public void removeSources() throws IOException {
    remove(SOURCES);
  }

  /** Also waits until the DataNodes have removed the blocks. */
  public void remove(Path path) throws IOException {
    boolean recursive = true;
    hdfs.fileSystem().delete(path, recursive);
    awaitDeletions();
  }

  /** Waits until the DataNodes have removed all blocks that the NameNode wants removed. */
  public void awaitDeletions() throws IOException {
    while (hdfs.fileSystem().getPendingDeletionBlocksCount() > 0) {
      Pause.of(LOOK_AGAIN);
    }
    long unused = settled(hdfs::dfsUsed);
  }

  /**
   * Bytes that DataNodes have read from replicas and received for replicas since the cluster
   * started. Waits until they count no more: they do so a moment after a transfer has ended.
   */
  public long bytesMoved() throws IOException {
    return settled(() -> hdfs.bytesRead() + hdfs.bytesWritten());
  }

  /** Returns the bytes that DataNodes have read. */
  public long bytesRead() throws IOException {
    return settled(hdfs::bytesRead);
  }

  @FunctionalInterface
  private interface Count {
    long now() throws IOException;
  }

  private static long settled(Count count) throws IOException {
    long before;
    long now = count.now();
    do {
      before = now;
      Pause.of(LOOK_AGAIN);
      now = count.now();
    } while (now != before);
    return now;
  }
}
