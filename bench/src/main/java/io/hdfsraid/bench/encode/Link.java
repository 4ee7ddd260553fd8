// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.encode;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.hdfsraid.drfs.block.Interrupts;
import java.io.IOException;
import java.time.Duration;

/** A network link that carries so many bytes in a second. Safe for concurrent use. */
final class Link {
  /** Short beside a run, so that what is saved up at its start does not count. */
  private static final int BURSTS_PER_SECOND = 20;

  private final long burst;
  private final Bucket bucket;

  Link(long bytesPerSecond) {
    this.burst = Math.max(1, bytesPerSecond / BURSTS_PER_SECOND);
    this.bucket =
        Bucket.builder()
            .addLimit(
                Bandwidth.builder()
                    .capacity(burst)
                    .refillGreedy(bytesPerSecond, Duration.ofSeconds(1))
                    .build())
            .build();
  }

  /** Waits until so many bytes have passed. */
  void carry(long bytes) throws IOException {
    try {
      for (long left = bytes; left > 0; left -= burst) {
        bucket.asBlocking().consume(Math.min(left, burst));
      }
    } catch (InterruptedException e) {
      throw Interrupts.interrupted("waiting for a link", e);
    }
  }
}
