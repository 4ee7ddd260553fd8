// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.raid;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.bench.cluster.PlainClient;
import io.hdfsraid.erasurecode.StripeShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;

/**
 * The lower bound of raiding. A plain client of HDFS reads the sources once and writes as many
 * bytes as their parity has, as one-block files with one replica, and computes nothing. The files
 * of a stripe are closed at the same time, and the client asks as soon as the daemon's whether a
 * block is complete.
 */
final class RaidFloor implements AutoCloseable {
  private static final int BUFFER = 1 << 20;
  private static final Path DIRECTORY = new Path("/floor");

  private final BenchCluster cluster;
  private final StripeShape shape;
  private final PlainClient client;
  private final ExecutorService closing;

  RaidFloor(BenchCluster cluster, StripeShape shape) throws IOException {
    this.cluster = cluster;
    this.shape = shape;
    this.client = new PlainClient(cluster, DIRECTORY);
    this.closing = Executors.newFixedThreadPool(cluster.settings().workers() * shape.parityUnits());
  }

  /** Reads all sources, and removes afterwards what it wrote. */
  RunCost run() throws IOException {
    List<Callable<Void>> files = new ArrayList<>();
    for (Path source : cluster.sources()) {
      files.add(
          () -> {
            readAndWrite(source);
            return null;
          });
    }
    long bytesBefore = cluster.bytesMoved();
    long start = System.nanoTime();
    cluster.crew().run(files);
    double seconds = (System.nanoTime() - start) / 1e9;
    long bytes = cluster.bytesMoved() - bytesBefore;
    client.removeFiles();
    return new RunCost(seconds, bytes);
  }

  private void readAndWrite(Path source) throws IOException, InterruptedException {
    int blocks = cluster.settings().blocks();
    int stripes = cluster.settings().stripes(shape);
    try (FSDataInputStream in = client.open(source, BUFFER)) {
      for (int stripe = 0; stripe < stripes; stripe++) {
        int data = blocks * (stripe + 1) / stripes - blocks * stripe / stripes;
        encodeNothing(in, source.getName() + "-" + stripe, data);
      }
    }
  }

  private void encodeNothing(FSDataInputStream in, String name, int dataUnits)
      throws IOException, InterruptedException {
    List<FSDataOutputStream> parity = new ArrayList<>();
    for (int p = 0; p < shape.parityUnits(); p++) {
      parity.add(client.create(name + "-" + p));
    }
    byte[] buffer = new byte[BUFFER];
    long rows = cluster.settings().blockBytes() / BUFFER;
    for (long row = 0; row < rows; row++) {
      for (int unit = 0; unit < dataUnits; unit++) {
        in.readFully(buffer);
      }
      for (FSDataOutputStream out : parity) {
        out.write(buffer);
      }
    }
    List<Callable<Void>> closes = new ArrayList<>();
    for (FSDataOutputStream out : parity) {
      closes.add(
          () -> {
            out.close();
            return null;
          });
    }
    for (var closed : closing.invokeAll(closes)) {
      try {
        closed.get();
      } catch (java.util.concurrent.ExecutionException e) {
        throw new IOException("Closing a file of %s failed".formatted(name), e.getCause());
      }
    }
  }

  @Override
  public void close() throws IOException {
    closing.shutdownNow();
    client.close();
  }
}
