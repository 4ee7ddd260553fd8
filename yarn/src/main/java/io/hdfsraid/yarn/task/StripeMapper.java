// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.drfs.block.Interrupts;
import io.hdfsraid.yarn.work.EncodeWork;
import io.hdfsraid.yarn.work.RepairWork;
import io.hdfsraid.yarn.work.Work;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Future;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;

/**
 * Encodes or repairs the stripes of a batch. They are encoded one after another. Some are repaired
 * at once, because each repair waits for the word of the daemon. A stripe that fails has an answer
 * that says so, and does not keep the others from being worked on.
 */
public final class StripeMapper
    extends Mapper<NullWritable, WorkWritable, NullWritable, AnswerWritable> {
  /** Names the block pool of the data. */
  public static final String BLOCK_POOL = "hdfs-raid.block-pool";

  /** Names the file with the share of a task of the rate of all containers. */
  public static final String RATE = "hdfs-raid.rate";

  /** Names the directory in which tasks and daemon write to each other. */
  public static final String MAIL = "hdfs-raid.mail";

  /** Names the rack of each DataNode, {@code ip=rack} with commas between. */
  public static final String RACKS = "hdfs-raid.racks";

  /** Counts the bytes read, in this group, by {@link io.hdfsraid.drfs.block.Distance}. */
  public static final String READ = "HDFS-RAID bytes read";

  private TaskConnection connection;
  private StripeEncoding encoding;
  private StripeRepair repair;
  private final Deque<Future<?>> repairs = new ArrayDeque<>();

  @Override
  protected void setup(Context context) throws IOException {
    connection = TaskConnection.open(context);
    encoding = new StripeEncoding(connection);
    repair =
        new StripeRepair(
            connection,
            new TaskMail(
                connection.fileSystem(),
                context.getConfiguration().get(MAIL),
                connection.attempt()));
  }

  @Override
  protected void map(NullWritable key, WorkWritable value, Context context)
      throws IOException, InterruptedException {
    Work work = value.work();
    if (work instanceof EncodeWork encode) {
      context.write(key, new AnswerWritable(encoding.encode(encode, context)));
    } else if (work instanceof RepairWork lost) {
      if (repairs.size() == RepairWork.AT_ONCE) {
        awaitOldestRepair();
      }
      repairs.add(
          connection
              .io()
              .submit(
                  () -> {
                    repair.repair(lost, context);
                    return null;
                  }));
    }
  }

  private void awaitOldestRepair() throws IOException {
    var unused = Interrupts.await(repairs.remove(), "waiting for a repair");
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    try {
      while (!repairs.isEmpty()) {
        awaitOldestRepair();
      }
    } finally {
      connection.close();
    }
  }
}
