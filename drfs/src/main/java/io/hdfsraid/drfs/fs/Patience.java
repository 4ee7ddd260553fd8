package io.hdfsraid.drfs.fs;

import java.io.InterruptedIOException;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;

/**
 * How long HDFS's client waits for a block without a good replica. It waits before it says that the
 * block is missing; here it must say so first, because parity may help at once, and the waiting is
 * done when parity does not.
 *
 * @param windowMillis the client's {@code dfs.client.retry.window.base}
 * @param attempts the client's {@code dfs.client.max.block.acquire.failures}
 * @param lostMillis how long an open stream reads a lost block through parity before it tries HDFS
 *     again
 */
record Patience(int windowMillis, int attempts, long lostMillis) {
  /** In milliseconds; a minute unless set. */
  static final String RETRY_AFTER = "raid.read.retry.after.ms";

  private static final String WINDOW = "dfs.client.retry.window.base";
  private static final int DEFAULT_WINDOW = 3000;
  private static final int QUICK_WINDOW = 10;

  static Patience of(Configuration conf) {
    return new Patience(
        conf.getInt(WINDOW, DEFAULT_WINDOW),
        conf.getInt("dfs.client.max.block.acquire.failures", 3),
        conf.getLong(RETRY_AFTER, 60_000));
  }

  /** The configuration of a client that hardly waits. */
  static Configuration without(Configuration conf) {
    Configuration quick = new Configuration(conf);
    quick.setInt(WINDOW, Math.min(conf.getInt(WINDOW, DEFAULT_WINDOW), QUICK_WINDOW));
    return quick;
  }

  /** Waits as long as HDFS's client does after so many failures. */
  void await(int failures) throws InterruptedIOException {
    double millis =
        (double) windowMillis * failures
            + (double) windowMillis * (failures + 1) * ThreadLocalRandom.current().nextDouble();
    try {
      Thread.sleep((long) millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for a replica to come back");
    }
  }
}
