// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import io.hdfsraid.drfs.block.Interrupts;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.conf.Configuration;

/**
 * The retry policy of HDFS's client for a block without a good replica. The client waits and
 * retries before it reports the block as missing. Here it must report the block at once, because
 * parity may help; the wait happens afterwards if parity does not help.
 *
 * @param windowMillis the client's {@code dfs.client.retry.window.base}
 * @param attempts the client's {@code dfs.client.max.block.acquire.failures}
 * @param lostMillis how long the streams of a client read a lost block through parity before they
 *     try HDFS again, and how long they leave out a slow node, in milliseconds
 */
record ReadRetryPolicy(int windowMillis, int attempts, long lostMillis) {
  /** Configuration key of {@code lostMillis}; a minute by default. */
  static final String RETRY_AFTER = "raid.read.retry.after.ms";

  private static final String WINDOW = "dfs.client.retry.window.base";
  private static final String ATTEMPTS = "dfs.client.max.block.acquire.failures";
  private static final int DEFAULT_WINDOW = 3000;

  static ReadRetryPolicy of(Configuration conf) {
    return new ReadRetryPolicy(
        conf.getInt(WINDOW, DEFAULT_WINDOW),
        conf.getInt(ATTEMPTS, 3),
        conf.getLong(RETRY_AFTER, 60_000));
  }

  /** Returns the configuration of a client that does not wait, and asks the NameNode only once. */
  static Configuration without(Configuration conf) {
    Configuration quick = new Configuration(conf);
    quick.setInt(WINDOW, 0);
    quick.setInt(ATTEMPTS, 1);
    return quick;
  }

  Duration lost() {
    return Duration.ofMillis(lostMillis);
  }

  /**
   * Returns how long a block is taken to be without parity before the NameNode is asked again: less
   * than a reader of such a block waits before its last attempt.
   */
  Duration unprotected() {
    return Duration.ofMillis(Math.min(lostMillis, windowMillis));
  }

  /** Waits as long as HDFS's client does after this many failures. */
  void await(int failures) throws InterruptedIOException {
    double millis =
        (double) windowMillis * failures
            + (double) windowMillis * (failures + 1) * ThreadLocalRandom.current().nextDouble();
    try {
      Thread.sleep((long) millis);
    } catch (InterruptedException e) {
      throw Interrupts.interrupted("waiting for a replica to come back", e);
    }
  }
}
