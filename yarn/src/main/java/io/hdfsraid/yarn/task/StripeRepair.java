// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.yarn.task;

import io.hdfsraid.blockfixer.hdfs.HdfsBlockDelivery;
import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.blockfixer.repair.LocalRepairEngine;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.blockfixer.repair.RebuildOrder;
import io.hdfsraid.blockfixer.repair.SentUnits;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.hdfs.HdfsDataNodes;
import io.hdfsraid.drfs.stripe.NearestReplicas;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import io.hdfsraid.yarn.work.Answer;
import io.hdfsraid.yarn.work.RepairWork;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Rebuilds lost units in a container, and sends them to their targets. It asks the daemon before it
 * makes a unit final: only the daemon knows whether the stripe still is as it was, and whether the
 * daemon still is the one that may change it. Safe for concurrent use.
 */
final class StripeRepair {
  /** A DataNode gives up a writer that is silent for a minute. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(45);

  private static final Polling DAEMON =
      Polling.withBackoff(Duration.ofMillis(250), LONGEST_WAIT, Duration.ofSeconds(2));

  private final TaskConnection connection;
  private final TaskMail mail;

  /** Of all stripes that are repaired at once; the rest of the heap is for the client of HDFS. */
  private final RowMemory memory = new RowMemory(Runtime.getRuntime().maxMemory() / 2);

  /** Whether the daemon has not said what to do with a stripe. */
  private volatile boolean deserted;

  StripeRepair(TaskConnection connection, TaskMail mail) {
    this.connection = connection;
    this.mail = mail;
  }

  /**
   * Repairs a stripe, and says what becomes of it.
   *
   * @throws InterruptedIOException if the container is being stopped
   */
  void repair(RepairWork work, TaskAttemptContext context) throws IOException {
    if (deserted) {
      return; // otherwise the job of a killed daemon would rebuild all its stripes in vain
    }
    try {
      rebuild(work, context);
    } catch (InterruptedIOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e;
      }
      failed(work, e);
    } catch (IOException | RuntimeException e) {
      failed(work, e);
    } catch (Error e) { // such as too little memory
      try {
        failed(work, e);
      } catch (IOException untold) {
        e.addSuppressed(untold);
      }
      throw e;
    }
  }

  private void failed(RepairWork work, Throwable why) throws IOException {
    int only = 0;
    mail.say(
        new Answer.Failed(work.order(), only, connection.attempt(), TaskConnection.describe(why)));
  }

  private void rebuild(RepairWork work, TaskAttemptContext context) throws IOException {
    TaskTokens tokens = new TaskTokens(work.sources(), work.targets());
    LocalRepairEngine engine =
        new LocalRepairEngine(
            new StripeRebuilder(
                new HdfsDataNodes(connection.fileSystem(), connection.blockPool(), tokens),
                connection.io(),
                new NearestReplicas(connection.here()),
                memory),
            new HdfsBlockDelivery(connection.fileSystem(), connection.blockPool(), tokens));
    RebuildOrder order = work.rebuild();
    int written = work.targets().size();
    int read = Math.max(1, work.sources().size());
    try (SentUnits sent =
        engine.send(
            order,
            bytes -> {
              context.progress();
              connection.rate().passed(bytes + bytes * written / read);
            })) {
      Map<Distance, Long> bytesRead = new EnumMap<>(Distance.class);
      sent.reads()
          .bytesFrom()
          .forEach(
              (node, bytes) ->
                  bytesRead.merge(connection.here().distanceTo(node), bytes, Long::sum));
      bytesRead.forEach((distance, bytes) -> TaskConnection.count(context, distance, bytes));
      mail.say(new Answer.Sent(work.order(), connection.attempt(), bytesRead));
      finish(work, order.deliveries(), sent, context);
    }
  }

  /** Makes those units final that the daemon names. */
  private void finish(
      RepairWork work, List<PlannedDelivery> deliveries, SentUnits sent, TaskAttemptContext context)
      throws IOException {
    Set<Integer> left = new HashSet<>();
    deliveries.forEach(unit -> left.add(unit.unit()));
    Set<String> told = new HashSet<>();
    while (!left.isEmpty()) {
      long end = System.nanoTime() + LONGEST_WAIT.toNanos(); // a look may take long, too
      boolean unused =
          DAEMON.until(
              () -> {
                context.progress();
                told.addAll(mail.told(work.order()));
                return answers(told, left) || System.nanoTime() > end;
              });
      if (!answers(told, left)) {
        deserted = true;
        throw new IOException(
            "The daemon has not said within %d s what to do with units %s"
                .formatted(LONGEST_WAIT.toSeconds(), left));
      }
      if (told.contains(MailDirectory.DROP)) {
        return;
      }
      for (PlannedDelivery unit : deliveries) {
        if (told.contains(Integer.toString(unit.unit())) && left.remove(unit.unit())) {
          finish(work, unit, sent);
        }
      }
    }
  }

  private static boolean answers(Set<String> told, Set<Integer> left) {
    return told.contains(MailDirectory.DROP)
        || left.stream().anyMatch(unit -> told.contains(Integer.toString(unit)));
  }

  private void finish(RepairWork work, PlannedDelivery unit, SentUnits sent) throws IOException {
    sent.finish(unit);
    mail.say(new Answer.Finished(work.order(), connection.attempt(), unit.unit()));
  }
}
