// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Keeps a task to its share of the rate of all containers. The daemon writes the share into a file
 * and may change it at any time; a task looks every {@link #LOOK_SECONDS} seconds. Safe for
 * concurrent use.
 */
public final class SharedRate {
  /** How often a task looks: each look is a call of the NameNode. */
  static final int LOOK_SECONDS = 15;

  private static final long LOOK_NANOS = Duration.ofSeconds(LOOK_SECONDS).toNanos();
  private static final long UNLIMITED = 0;

  private final FileSystem fileSystem;
  private final Path file;
  private long perSecond = UNLIMITED;
  private Optional<Bucket> bucket = Optional.empty();
  private final LongSupplier nanoTime;
  private long looked;

  SharedRate(FileSystem fileSystem, Path file) {
    this(fileSystem, file, System::nanoTime);
  }

  SharedRate(FileSystem fileSystem, Path file, LongSupplier nanoTime) {
    this.fileSystem = fileSystem;
    this.file = file;
    this.nanoTime = nanoTime;
    this.looked = nanoTime.getAsLong() - LOOK_NANOS;
  }

  /**
   * Writes the share of each task.
   *
   * @param bytesPerSecond 0 for no limit
   */
  public static void write(FileSystem fileSystem, Path file, long bytesPerSecond)
      throws IOException {
    boolean overwrite = true;
    try (FSDataOutputStream out = fileSystem.create(file, overwrite)) {
      out.writeLong(bytesPerSecond);
    }
  }

  /**
   * Waits until so many bytes may have passed. Returns at once, with the interrupt flag set, if the
   * thread is interrupted.
   */
  synchronized void passed(long bytes) {
    if (nanoTime.getAsLong() - looked >= LOOK_NANOS) {
      looked = nanoTime.getAsLong();
      set(read());
    }
    if (bytes > 0 && bucket.isPresent()) {
      try {
        bucket.get().asBlocking().consume(bytes);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** A file that is being replaced, or a NameNode that is away, changes nothing. */
  private long read() {
    try (FSDataInputStream in = fileSystem.open(file)) {
      return in.readLong();
    } catch (FileNotFoundException e) {
      return UNLIMITED;
    } catch (IOException e) {
      return perSecond;
    }
  }

  private void set(long bytesPerSecond) {
    if (bytesPerSecond == perSecond) {
      return;
    }
    perSecond = bytesPerSecond;
    bucket =
        bytesPerSecond == UNLIMITED
            ? Optional.empty()
            : Optional.of(
                Bucket.builder()
                    .addLimit(
                        Bandwidth.builder()
                            .capacity(bytesPerSecond)
                            .refillGreedy(bytesPerSecond, Duration.ofSeconds(1))
                            .initialTokens(0)
                            .build())
                    .build());
  }
}
