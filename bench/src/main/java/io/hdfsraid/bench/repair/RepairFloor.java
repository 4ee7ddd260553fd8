// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.repair;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.bench.cluster.PlainClient;
import io.hdfsraid.bench.cluster.WorkerPool;
import io.hdfsraid.blockfixer.plan.HelperRange;
import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;

/**
 * The lower bound of repair. For as many stripes at once as the daemon repairs, a client reads all
 * ranges of the plan from all helpers at once and writes as many blocks as are lost, each as a file
 * of one block. It computes nothing, waits for no row and checks no state.
 */
final class RepairFloor implements AutoCloseable {
  private static final int IO_THREADS_PER_WORKER = 24;
  private static final int BUFFER = 1 << 20;
  private static final Path DIRECTORY = new Path("/floor");

  private final BenchCluster cluster;
  private final DataNodes dataNodes;
  private final PlainClient client;
  private final WorkerPool io;

  RepairFloor(BenchCluster cluster, DataNodes dataNodes) throws IOException {
    this.cluster = cluster;
    this.dataNodes = dataNodes;
    this.client = new PlainClient(cluster, DIRECTORY);
    this.io = new WorkerPool(cluster.settings().workers() * IO_THREADS_PER_WORKER);
  }

  /** Removes afterwards what it wrote; returns the seconds it took until then. */
  double run(List<RepairPlan> plans) throws IOException {
    List<Callable<Void>> stripes = new ArrayList<>();
    for (RepairPlan plan : plans) {
      stripes.add(
          () -> {
            io.run(streams(plan));
            return null;
          });
    }
    long start = System.nanoTime();
    cluster.crew().run(stripes);
    double seconds = (System.nanoTime() - start) / 1e9;
    client.removeFiles();
    return seconds;
  }

  private List<Callable<Void>> streams(RepairPlan plan) {
    List<Callable<Void>> streams = new ArrayList<>();
    for (int helper : plan.recipe().helpers().toArray()) {
      List<HelperRange> ranges = HelperRange.of(plan.stripe(), helper, plan.recipe());
      if (!ranges.isEmpty()) {
        LocatedBlock located = plan.stripe().unit(helper).located().orElseThrow();
        streams.add(
            () -> {
              read(located, ranges);
              return null;
            });
      }
    }
    for (PlannedDelivery delivery : plan.deliveries()) {
      streams.add(
          () -> {
            write(Long.toString(delivery.block().id()), delivery.block().length());
            return null;
          });
    }
    return streams;
  }

  private void read(LocatedBlock located, List<HelperRange> ranges) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    for (HelperRange range : ranges) {
      try (BlockInput in =
          dataNodes.open(located.block(), located.live().get(0), range.from(), range.length())) {
        for (long left = range.length(); left > 0; left -= buffer.limit()) {
          buffer.clear().limit((int) Math.min(BUFFER, left));
          in.readFully(buffer);
        }
      }
    }
  }

  private void write(String name, long length) throws IOException {
    byte[] buffer = new byte[BUFFER];
    try (OutputStream out = client.create(name)) {
      for (long left = length; left > 0; left -= buffer.length) {
        out.write(buffer, 0, (int) Math.min(buffer.length, left));
      }
    }
  }

  @Override
  public void close() throws IOException {
    io.close();
    client.close();
  }
}
