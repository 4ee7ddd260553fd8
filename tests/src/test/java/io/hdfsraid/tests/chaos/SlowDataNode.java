// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.chaos;

import io.hdfsraid.embedded.ProcessHdfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Stops a DataNode four times of five, in turns of a fifth of a second. */
final class SlowDataNode implements AutoCloseable {
  private static final long TURN_MILLIS = 200;
  private static final int TURNS = 5;

  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
  private final ProcessHdfs hdfs;
  private final int node;
  private int turn;

  SlowDataNode(ProcessHdfs hdfs, int node) {
    this.hdfs = hdfs;
    this.node = node;
    Future<?> unused =
        executor.scheduleAtFixedRate(this::next, 0, TURN_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void next() {
    try {
      switch (turn++ % TURNS) {
        case 0 -> hdfs.freezeDataNode(node);
        case TURNS - 1 -> hdfs.thawDataNode(node);
        default -> {
          // it stays as it is
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lets it go on. */
  @Override
  public void close() throws IOException {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new IOException("DataNode %d cannot be left in peace".formatted(node));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted before DataNode %d went on".formatted(node), e);
    }
    hdfs.thawDataNode(node);
  }
}
