// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.chaos;

import io.hdfsraid.tests.daemon.ColdFiles;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Reads whole files at random, also through losses, and compares each byte with what was written.
 */
final class Reads implements AutoCloseable {
  private static final long PAUSE_MILLIS = 100;

  private final FileSystem fileSystem;
  private final List<ColdFiles> written;
  private final Random random;
  private final AtomicLong right = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final List<String> wrong = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final Future<?> reading;

  /** Begins to read. */
  Reads(FileSystem fileSystem, List<ColdFiles> written, long seed) {
    this.fileSystem = fileSystem;
    this.written = written;
    this.random = new Random(seed);
    this.reading =
        executor.scheduleWithFixedDelay(this::readOne, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void readOne() {
    // Not of those written last: a file that is read is not cold, so it is not raided.
    ColdFiles files = written.get(random.nextInt(Math.max(1, written.size() - 1)));
    List<String> paths = List.copyOf(files.paths());
    String path = paths.get(random.nextInt(paths.size()));
    try (FSDataInputStream in = fileSystem.open(new Path(path))) {
      if (Arrays.equals(in.readAllBytes(), files.bytes(path))) {
        right.incrementAndGet();
      } else {
        wrong.add(path);
      }
    } catch (IOException e) {
      refused.incrementAndGet();
      System.out.printf("%s was not read: %s%n", path, e);
    }
  }

  /** Returns whether an unexpected error has ended the reading. */
  boolean hasDied() {
    return reading.isDone();
  }

  /** Returns how many reads have ended, in whatever way. */
  long ended() {
    return right() + refused() + wrong().size();
  }

  /** Returns how many reads had the bytes that were written. */
  long right() {
    return right.get();
  }

  /** Returns how many reads failed with an error. */
  long refused() {
    return refused.get();
  }

  /** Returns the files that had other bytes. */
  List<String> wrong() {
    return wrong;
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
