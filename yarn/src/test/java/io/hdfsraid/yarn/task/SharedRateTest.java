// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedRateTest {
  private static final long LOOK = TimeUnit.SECONDS.toNanos(SharedRate.LOOK_SECONDS);
  private static final long MUCH = 1L << 32;

  @TempDir private java.nio.file.Path folder;

  private final AtomicLong nanos = new AtomicLong(7);
  private FileSystem local;
  private Path file;
  private SharedRate rate;

  @BeforeEach
  void make() throws IOException {
    local = FileSystem.getLocal(new Configuration());
    file = new Path(folder.resolve("rate").toUri());
    rate = new SharedRate(local, file, nanos::get);
  }

  /** Whether a thread that passes so many bytes has to wait. */
  private boolean waits(long bytes) throws InterruptedException {
    Thread thread = new Thread(() -> rate.passed(bytes));
    thread.start();
    while (thread.isAlive()) {
      if (thread.getState() == Thread.State.TIMED_WAITING) {
        thread.interrupt();
        thread.join();
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  @Test
  void withoutAFileNothingWaits() throws Exception {
    assertThat(waits(MUCH)).isFalse();
  }

  @Test
  void aShareIsKeptToAndAChangeIsNoticedAtTheNextLook() throws Exception {
    SharedRate.write(local, file, 1_000);
    assertThat(waits(MUCH)).isTrue();
    assertThat(waits(0)).as("nothing passed").isFalse();

    SharedRate.write(local, file, 0);
    assertThat(waits(MUCH)).as("before the next look").isTrue();
    nanos.addAndGet(LOOK);
    assertThat(waits(MUCH)).isFalse();

    SharedRate.write(local, file, 500);
    nanos.addAndGet(LOOK);
    assertThat(waits(MUCH)).isTrue();
  }

  @Test
  void aFileThatCannotBeReadChangesNothing() throws Exception {
    SharedRate.write(local, file, 1_000);
    assertThat(waits(MUCH)).isTrue();
    local.create(file, true).close();
    nanos.addAndGet(LOOK);

    assertThat(waits(MUCH)).isTrue();
  }
}
