// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.RaidedStripe;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;

/** A repairer of a raided file whose ports the test holds in its hands. */
final class Repairs {
  final RaidedStripe file;
  final Deliveries deliveries;
  final StripeClaims claims = new StripeClaims();
  final List<String> events = new ArrayList<>();
  final List<Replica> reported = new ArrayList<>();
  BadReplicaReports reports = this::report;
  Fence fence = () -> events.add("fence");
  Reaction reaction = step -> {};
  Runnable waiting = () -> {};
  DataNodes dataNodes;
  BlockDelivery delivery;
  private final ExecutorService executor;

  /** What the test does after a step. */
  interface Reaction {
    void to(RepairStep step) throws IOException;
  }

  Repairs(RaidedStripe file, ExecutorService executor) {
    this.file = file;
    this.dataNodes = file.dataNodes;
    this.deliveries = new Deliveries(file.cluster);
    this.delivery = deliveries;
    this.executor = executor;
  }

  private void report(Block block, Replica replica) {
    events.add("report");
    reported.add(replica);
    file.cluster.report(block.id(), replica.node());
  }

  private void pause() {
    events.add("wait");
    waiting.run();
  }

  private void notice() {
    events.add("notice");
    waiting.run();
  }

  RepairOutcome repair(RepairPlan plan) throws IOException {
    return new StripeRepairer(
            new LocalRepairEngine(
                new StripeRebuilder(dataNodes, executor, LocatedBlock::live, RowMemory.UNLIMITED),
                delivery),
            file.planner,
            dataNodes,
            (block, replica) -> reports.report(block, replica),
            () -> fence.pass(),
            claims,
            new RepairLimits(3, new Polling(3, this::pause), new Polling(2, this::notice)),
            (step, subject) -> {
              events.add(step.name());
              try {
                reaction.to((RepairStep) step);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            })
        .repair(plan, file.blocks);
  }

  /** Plans by the word of NameNode and DataNodes, and carries the plan out. */
  RepairOutcome repair() throws IOException {
    return repair(file.plan(file.health()));
  }
}
