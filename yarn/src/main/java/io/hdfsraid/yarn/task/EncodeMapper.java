// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.hdfs.HdfsDataNodes;
import io.hdfsraid.drfs.hdfs.UnitFiles;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.drfs.stripe.EncodedStripe;
import io.hdfsraid.drfs.stripe.FailedReplica;
import io.hdfsraid.drfs.stripe.NearestReplicas;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeEncoder;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.yarn.work.StripeAnswer;
import io.hdfsraid.yarn.work.StripeWork;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * Encodes the stripes of a batch, one after another. A stripe that fails has an answer that says
 * so, and does not keep the others from being encoded.
 */
public final class EncodeMapper
    extends Mapper<NullWritable, WorkWritable, NullWritable, AnswerWritable> {
  /** Names the block pool of the data. */
  public static final String BLOCK_POOL = "hdfs-raid.block-pool";

  /** Names the file with the share of a task of the rate of all containers. */
  public static final String RATE = "hdfs-raid.rate";

  /** Names the rack of each DataNode, {@code ip=rack} with commas between. */
  public static final String RACKS = "hdfs-raid.racks";

  /** Counts the bytes read, in this group, by {@link Distance}. */
  public static final String READ = "HDFS-RAID bytes read";

  private DistributedFileSystem fileSystem;
  private ExecutorService io;
  private UnitFiles files;
  private SharedRate rate;
  private ReaderLocation here;
  private String blockPool;
  private String attempt;

  @Override
  protected void setup(Context context) throws IOException {
    Configuration conf = new Configuration(context.getConfiguration());
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    // Otherwise each unit that is closed costs 400 ms.
    conf.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 20);
    conf.setInt("dfs.client.block.write.locateFollowingBlock.retries", 12);
    conf.set("dfs.checksum.type", "CRC32C");
    fileSystem = (DistributedFileSystem) FileSystem.newInstance(conf);
    files = new UnitFiles(fileSystem);
    rate = new SharedRate(fileSystem, new Path(conf.get(RATE)));
    io = Executors.newCachedThreadPool();
    blockPool = conf.get(BLOCK_POOL);
    attempt = context.getTaskAttemptID().toString();
    here = here(conf);
  }

  @Override
  protected void map(NullWritable key, WorkWritable value, Context context)
      throws IOException, InterruptedException {
    context.write(key, new AnswerWritable(answer(value.work(), context)));
  }

  private StripeAnswer answer(StripeWork work, Context context) throws IOException {
    try {
      return encode(work, context);
    } catch (InterruptedIOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e; // the container is being stopped
      }
      return failed(work, e);
    } catch (IOException | IllegalArgumentException e) {
      return failed(work, e);
    }
  }

  private static StripeAnswer failed(StripeWork work, Exception why) throws IOException {
    String host = InetAddress.getLocalHost().getHostName();
    return new StripeAnswer.Failed(work.order(), work.stripe(), host + ": " + why);
  }

  private StripeAnswer encode(StripeWork work, Context context) throws IOException {
    ErasureCodec codec = Codecs.parse(work.codec());
    HdfsDataNodes dataNodes = new HdfsDataNodes(fileSystem, blockPool, new TaskTokens(work));
    StripeEncoder encoder =
        new StripeEncoder(dataNodes, io, new NearestReplicas(here), RowMemory.UNLIMITED);
    EncodedStripe encoded =
        encoder.encode(
            codec,
            codec.layout(),
            work.data().stream().map(StripeWork.Source::located).toList(),
            outputs(work),
            bytes -> {
              context.progress();
              rate.passed(bytes + bytes * codec.shape().parityUnits() / work.data().size());
            });
    List<Distance> distances = new ArrayList<>();
    for (int unit = 0; unit < work.data().size(); unit++) {
      Replica replica = encoded.readFrom().get(unit);
      Distance distance = here.distanceTo(replica.node());
      distances.add(distance);
      context.getCounter(READ, distance.name()).increment(work.data().get(unit).block().length());
    }
    return new StripeAnswer.Encoded(
        work.order(),
        work.stripe(),
        attempt,
        encoded.dataCrcs(),
        encoded.parityCrcs(),
        distances,
        failures(work, encoded.failed()),
        encoded.times());
  }

  private static ReaderLocation here(Configuration conf) {
    ReaderLocation machine = ReaderLocation.ofThisMachine(Optional.empty(), List.of());
    Optional<String> rack =
        conf.getTrimmedStringCollection(RACKS).stream()
            .map(entry -> entry.split("=", 2))
            .filter(entry -> machine.addresses().contains(entry[0]))
            .map(entry -> entry[1])
            .findFirst();
    return new ReaderLocation(machine.addresses(), rack);
  }

  private List<UnitOutput> outputs(StripeWork work) throws IOException {
    List<UnitOutput> outputs = new ArrayList<>();
    try {
      for (String favoured : work.favoured()) {
        int index = work.stripe() * work.favoured().size() + outputs.size();
        outputs.add(
            files.open(
                "%s/%d-%s".formatted(work.directory(), index, attempt),
                work.parityLength(),
                Optional.of(favoured)));
      }
      return outputs;
    } catch (IOException e) {
      for (UnitOutput output : outputs) {
        try {
          output.close();
        } catch (IOException closing) {
          e.addSuppressed(closing);
        }
      }
      throw e;
    }
  }

  private static List<StripeAnswer.Failure> failures(StripeWork work, List<FailedReplica> failed) {
    return failed.stream()
        .map(
            one ->
                new StripeAnswer.Failure(
                    one.unit(),
                    work.data().get(one.unit()).replicas().indexOf(one.replica()),
                    one.offset(),
                    one.corrupt(),
                    one.cause().toString()))
        .toList();
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    io.shutdownNow();
    fileSystem.close();
  }
}
