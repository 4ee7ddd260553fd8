// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.ReaderLocation;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * What a task knows of the cluster, and its connection to it.
 *
 * @param io runs its reads and writes
 * @param rate its share of the rate of all containers
 * @param here where it runs
 * @param blockPool the block pool of the data
 * @param attempt the name of this task, different each time that it is tried
 */
record TaskConnection(
    DistributedFileSystem fileSystem,
    ExecutorService io,
    SharedRate rate,
    ReaderLocation here,
    String blockPool,
    String attempt)
    implements Closeable {

  static TaskConnection open(TaskAttemptContext context) throws IOException {
    Configuration conf = new Configuration(context.getConfiguration());
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    // Otherwise each unit that is closed costs 400 ms.
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 12);
    conf.set("dfs.checksum.type", "CRC32C");
    DistributedFileSystem fileSystem = (DistributedFileSystem) FileSystem.newInstance(conf);
    return new TaskConnection(
        fileSystem,
        Executors.newCachedThreadPool(),
        new SharedRate(fileSystem, new Path(conf.get(StripeMapper.RATE))),
        here(conf),
        conf.get(StripeMapper.BLOCK_POOL),
        context.getTaskAttemptID().toString());
  }

  private static ReaderLocation here(Configuration conf) {
    ReaderLocation machine = ReaderLocation.ofThisMachine(Optional.empty(), List.of());
    Optional<String> rack =
        conf.getTrimmedStringCollection(StripeMapper.RACKS).stream()
            .map(entry -> entry.split("=", 2))
            .filter(entry -> machine.addresses().contains(entry[0]))
            .map(entry -> entry[1])
            .findFirst();
    return new ReaderLocation(machine.addresses(), rack);
  }

  /** Says for people what failed, and on which machine. */
  static String describe(Throwable failure) throws IOException {
    return InetAddress.getLocalHost().getHostName() + ": " + failure;
  }

  /** Counts bytes that were read, for the page of YARN about the job. */
  static void count(TaskAttemptContext context, Distance distance, long bytes) {
    context.getCounter(StripeMapper.READ, distance.name()).increment(bytes);
  }

  @Override
  public void close() throws IOException {
    io.shutdownNow();
    fileSystem.close();
  }
}
