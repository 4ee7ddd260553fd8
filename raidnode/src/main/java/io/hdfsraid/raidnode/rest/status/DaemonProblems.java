// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidnode.config.PoliciesWatch;
import io.hdfsraid.raidnode.health.JobsHealth;
import io.hdfsraid.raidnode.health.NameNodeWatch;
import io.hdfsraid.raidnode.rest.scrub.ScrubSummary;
import io.hdfsraid.raidnode.schedule.JobReport;
import io.hdfsraid.recency.source.AccessTimeSource;
import io.hdfsraid.recency.source.SourceState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Collects all that an operator should know or mend, each with advice. */
public final class DaemonProblems {
  private final Supplier<Optional<NameNodeWatch.Outage>> nameNode;
  private final OwnerSummary owner;
  private final ModeProblems mode;
  private final RepairProblems repairs;
  private final ExcessProblems excess;
  private final ScrubSummary scrubs;
  private final Supplier<PoliciesWatch.State> policiesFile;
  private final Supplier<List<JobReport>> jobs;
  private final Supplier<List<SourceState>> sources;

  /**
   * @param nameNode the outage that goes on, if there is one
   */
  public DaemonProblems(
      Supplier<Optional<NameNodeWatch.Outage>> nameNode,
      OwnerSummary owner,
      ModeProblems mode,
      RepairProblems repairs,
      ExcessProblems excess,
      ScrubSummary scrubs,
      Supplier<PoliciesWatch.State> policiesFile,
      Supplier<List<JobReport>> jobs,
      Supplier<List<SourceState>> sources) {
    this.nameNode = nameNode;
    this.owner = owner;
    this.mode = mode;
    this.repairs = repairs;
    this.excess = excess;
    this.scrubs = scrubs;
    this.policiesFile = policiesFile;
    this.jobs = jobs;
    this.sources = sources;
  }

  List<Problem> all(Instant now) {
    Optional<NameNodeWatch.Outage> outage = nameNode.get();
    List<Problem> problems = new ArrayList<>();
    outage.map(gone -> away(gone, now)).ifPresent(problems::add);
    problems.addAll(mode.all());
    if (outage.isEmpty()) {
      owner.problem().ifPresent(problems::add);
    }
    problems.addAll(repairs.all());
    excess.problem(now).ifPresent(problems::add);
    problems.addAll(scrubs.problems(now));
    policiesFile.get().refusal().map(DaemonProblems::refused).ifPresent(problems::add);
    for (JobReport job : jobs.get()) {
      if (outage.isEmpty()) {
        job.lastError().map(error -> failed(job, error)).ifPresent(problems::add);
      }
      job.stall().map(DaemonProblems::stalled).ifPresent(problems::add);
    }
    if (outage.isEmpty()) {
      AccessSources.of(sources.get()).stream()
          .filter(source -> !source.problem().isEmpty())
          .filter(source -> !source.problem().equals(AccessTimeSource.NOT_ASKED))
          .map(SourceAdvice::problem)
          .forEach(problems::add);
    }
    return problems;
  }

  /** What follows from it (jobs that fail, an ownership that cannot be confirmed) says no more. */
  private static Problem away(NameNodeWatch.Outage outage, Instant now) {
    return new Problem(
        "NAMENODE_AWAY", outage.sentence(now), "Everything goes on by itself when it is well.");
  }

  private static Problem refused(PoliciesWatch.Refusal refusal) {
    return new Problem(
        "POLICIES_REFUSED",
        "policies.yml is not in force since %s: %s".formatted(refusal.since(), refusal.problems()),
        "The policies read before stay in force. 'raidshell policies validate'"
            + " lists all that is wrong.");
  }

  private static Problem stalled(String stall) {
    return new Problem(
        "JOB_STALLED",
        stall,
        "Look into the log and at the NameNode. If nothing explains it, restart the daemon: no run"
            + " is harmed by that.");
  }

  private static Problem failed(JobReport job, String error) {
    return job.failing()
        .map(failing -> new Problem("JOB_FAILED", failing, JobsHealth.AFTER_MANY_FAILURES))
        .orElseGet(
            () ->
                new Problem(
                    "JOB_FAILED",
                    "Job %s failed: %s".formatted(job.name(), error),
                    "The job runs again at its next time; the log has more."));
  }
}
