// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.engine;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.parity.DraftLoan;
import io.hdfsraid.raidnode.containers.ContainerJobs;
import io.hdfsraid.raidnode.containers.JobDispatcher;
import io.hdfsraid.raidnode.containers.Turns;
import io.hdfsraid.raidnode.raiding.core.LeftAlone;
import io.hdfsraid.raidnode.raiding.engine.EncodingOrder.StripeOrder;
import io.hdfsraid.yarn.work.EncodeWork;
import io.hdfsraid.yarn.work.Source;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encodes in containers of the cluster, many drafts in one job. What containers cannot do, because
 * YARN does not take the job in time or a task fails, is done in this process.
 */
public final class ContainerEngine implements Engine {
  private static final Logger LOG = LoggerFactory.getLogger(ContainerEngine.class);

  /** Tokens last for some hours, so they are made when the job is submitted. */
  private static final String NO_TOKEN_YET = "";

  private final ContainerJobs jobs;
  private final JobDispatcher dispatcher;
  private final Engine local;

  private final Turns turns;

  /**
   * @param local encodes what containers cannot
   * @param turns to encode locally
   */
  public ContainerEngine(ContainerJobs jobs, JobDispatcher dispatcher, Engine local, Turns turns) {
    this.jobs = jobs;
    this.dispatcher = dispatcher;
    this.local = local;
    this.turns = turns;
  }

  @Override
  public boolean encodesNearData() {
    return dispatcher.accepts();
  }

  @Override
  public void encode(EncodingOrder order, EncodingWatcher watcher) throws IOException, LeftAlone {
    if (!dispatcher.isWanted()) {
      local.encode(order, watcher);
      return;
    }
    List<StripeOrder> left = order.stripes();
    if (dispatcher.accepts()) {
      Result result = inContainers(order, watcher);
      left = result.left();
      if (!left.isEmpty()) {
        LOG.atWarn()
            .addKeyValue("stripes", left.size())
            .addKeyValue("of", order.stripes().size())
            .log("Containers have not encoded these; the daemon does: {}", result.why());
      }
    }
    if (!left.isEmpty()) {
      here(
          new EncodingOrder(order.codec(), order.policy(), order.kept(), order.draft(), left),
          watcher);
    }
  }

  private void here(EncodingOrder order, EncodingWatcher watcher) throws IOException, LeftAlone {
    turns.take();
    try {
      local.encode(order, watcher);
    } finally {
      turns.end();
    }
  }

  /**
   * The stripes that containers have not encoded.
   *
   * @param why they have not
   */
  private record Result(List<StripeOrder> left, String why) {}

  private Result inContainers(EncodingOrder order, EncodingWatcher watcher)
      throws IOException, LeftAlone {
    try (DraftLoan loan = order.draft().lend(jobs.user());
        WaitingDraft waiting = new WaitingDraft(order, work(order, loan))) {
      dispatcher.add(waiting);
      return new Result(waiting.collect(watcher), waiting.why());
    }
  }

  private List<EncodeWork> work(EncodingOrder order, DraftLoan loan) throws IOException {
    List<EncodeWork> work = new ArrayList<>();
    for (StripeOrder stripe : order.stripes()) {
      List<Source> data = new ArrayList<>();
      for (LocatedBlock block : stripe.data()) {
        data.add(new Source(block.block(), likelyKeptFirst(order, block), NO_TOKEN_YET));
      }
      List<String> favoured = new ArrayList<>();
      for (DataNode node : stripe.favoured()) {
        favoured.add(loan.address(node));
      }
      work.add(
          new EncodeWork(
              WaitingDraft.NO_NUMBER,
              loan.directory(),
              stripe.index(),
              order.codec().name(),
              data,
              favoured,
              stripe.parityLength()));
    }
    return work;
  }

  /** A container reads the nearest replica, and among equally near ones the first. */
  private static List<Replica> likelyKeptFirst(EncodingOrder order, LocatedBlock block) {
    Set<DataNode> likely = order.kept().odds(block, order.policy()).keySet();
    List<Replica> replicas = new ArrayList<>(block.live());
    replicas.sort(Comparator.comparing(replica -> !likely.contains(replica.node())));
    return replicas;
  }
}
