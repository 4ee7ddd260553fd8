// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Raids the files that the policies consider cold, the coldest first. */
public final class RaidJob {
  private static final Logger LOG = LoggerFactory.getLogger(RaidJob.class);

  private final RaidPlanner planner;
  private final ActingPolicies policies;
  private final CandidateRaider raider;
  private final AuditRoom room;
  private final RaidingEffort effort;
  private final Workers workers;

  /**
   * Creates a job.
   *
   * @param intensity sets how hard raiding works, in percent of the tuning
   */
  public RaidJob(
      RaidPlanner planner,
      ActingPolicies policies,
      CandidateRaider raider,
      AuditRoom room,
      IntConsumer intensity,
      Workers workers) {
    this.planner = planner;
    this.policies = policies;
    this.raider = raider;
    this.room = room;
    this.effort = new RaidingEffort(intensity);
    this.workers = workers;
  }

  /**
   * Raids the candidates of the policies that the filter accepts. Policies that are paused or
   * outside their windows raid nothing, and none raids while first reads are late. This is checked
   * again before each file.
   */
  public void run(Predicate<Policy> which) throws IOException {
    if (policies.isPaused()) {
      return;
    }
    Optional<Instant> heldBack = policies.heldBackSince();
    if (heldBack.isPresent()) {
      LOG.atWarn()
          .addKeyValue("unreadSince", heldBack.get())
          .log("Policies raid nothing: the deep scrub has not read yet what was raided before");
      return;
    }
    // The windows are asked once for each policy, and not for each file of the plan.
    Run run = new Run(policies.open(which));
    effort.begins(run);
    try {
      run.pace();
      run.carryOut();
    } finally {
      effort.ended(run);
    }
  }

  /** Returns the files that a run would raid now. */
  public List<FileFacts> candidates(Predicate<Policy> which) throws IOException {
    RaidPlan plan = planner.planListed(which, policies.gates());
    List<FileFacts> candidates = new ArrayList<>();
    plan.alone().forEach(candidate -> candidates.add(candidate.file()));
    plan.groups().forEach(together -> candidates.addAll(together.files()));
    return candidates;
  }

  /** One run, for the policies whose windows were open when the run began. */
  private final class Run {
    private final Set<String> open;

    Run(Set<String> open) {
      this.open = open;
    }

    /**
     * Works as hard as all policies of the run allow that may act now. The policies share the
     * pools, so the effort is not set for each file: the pools would grow and shrink from file to
     * file.
     */
    void pace() {
      policies.intensity(open).ifPresent(percent -> effort.wants(this, percent));
    }

    void carryOut() throws IOException {
      RaidPlan plan = planner.planListed(policy -> open.contains(policy.name()), policies.gates());
      planner.setAside(plan.lonely());
      List<Workers.Task> tasks = new ArrayList<>();
      for (RaidPlan.Together together : plan.groups()) {
        tasks.add(() -> inTurn(together.policy(), () -> raider.raid(together)));
      }
      for (RaidPlan.Candidate candidate : plan.alone()) {
        tasks.add(() -> inTurn(candidate.policy(), () -> raider.raid(candidate)));
      }
      workers.inOrder(tasks);
    }

    private void inTurn(Policy policy, Workers.Task raid) throws IOException {
      room.await(() -> policies.mayRaid(policy.name()));
      pace();
      if (policies.mayRaid(policy.name())) {
        raid.run();
      }
    }
  }
}
