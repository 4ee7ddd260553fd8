package io.hdfsraid.raidnode;

import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Runs.Misfire;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.config.ScheduleSettings;
import io.hdfsraid.raidnode.rounds.IntegrityRound;
import io.hdfsraid.raidnode.rounds.Rounds;
import io.hdfsraid.raidnode.rounds.ScanRound;
import io.hdfsraid.raidnode.schedule.Job;
import io.hdfsraid.raidnode.schedule.JobReport;
import io.hdfsraid.raidnode.schedule.Schedule;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the daemon does again and again, and when. */
final class Jobs {
  /** Files under way are attended to this often: what they wait for takes HDFS seconds to hours. */
  private static final String EVERY_15_SECONDS = "0/15 * * * * ?";

  private static final String EVERY_5_SECONDS = "0/5 * * * * ?";
  private static final String EVERY_MINUTE = "30 * * * * ?";
  private static final String EVERY_10_MINUTES = "0 0/10 * * * ?";
  private static final String EVERY_DAY_AT_NOON = "0 0 12 * * ?";

  /** How the names of those begin that run one policy each. */
  private static final String OF_POLICIES = "policy ";

  private final Rounds rounds;
  private final Catalog catalog;
  private final ScheduleSettings schedule;
  private final LastRuns lastRuns;

  Jobs(Rounds rounds, Catalog catalog, ScheduleSettings schedule, Clock clock) {
    this.rounds = rounds;
    this.catalog = catalog;
    this.schedule = schedule;
    this.lastRuns = new LastRuns(catalog.notes(), clock);
  }

  /** All of them, by the policies that are in force. */
  List<Job> all() {
    ZoneId zone = schedule.timeZone();
    List<Job> jobs = new ArrayList<>();
    jobs.add(
        new Job(
            "scan",
            schedule.scan(),
            zone,
            () -> {
              rediscover();
              rounds.scan().run();
              rounds.raid().run(policy -> policy.schedule().isEmpty());
            }));
    jobs.addAll(ofPolicies(rounds.policies().policies()));
    jobs.add(
        new Job(
            "census",
            EVERY_DAY_AT_NOON,
            zone,
            () -> {
              rediscover();
              ScanRound.Scanned unused = rounds.scan().census();
            }));
    jobs.add(new Job("recency", EVERY_5_SECONDS, zone, () -> rounds.recency().follow()));
    jobs.add(new Job("recency-watch", EVERY_MINUTE, zone, () -> rounds.recency().watch()));
    jobs.add(new Job("reheat", EVERY_10_MINUTES, zone, () -> rounds.reheat().run()));
    jobs.add(
        new Job(
            "integrity-check", schedule.integrityCheck(), zone, () -> rounds.integrity().run()));
    jobs.add(
        new Job(
            "attend",
            EVERY_15_SECONDS,
            zone,
            () -> {
              rediscover();
              rounds.attend().run();
              rounds.withdrawal().run();
            }));
    // Jobs of their own: a backlog takes hours, and neither what is lost meanwhile nor what is at
    // risk may wait for its end.
    jobs.add(
        new Job("loss-reports", EVERY_15_SECONDS, zone, () -> rounds.integrity().runReported()));
    jobs.add(new Job("silent-nodes", EVERY_MINUTE, zone, () -> rounds.silentNodes().run()));
    jobs.add(new Job("opened-files", EVERY_MINUTE, zone, () -> rounds.repair().wakeOpened()));
    jobs.add(new Job("urgent-repair", EVERY_5_SECONDS, zone, () -> rounds.repair().runAtRisk()));
    jobs.add(new Job("repair", EVERY_15_SECONDS, zone, () -> rounds.repair().run()));
    jobs.add(new Job("spread-repaired", EVERY_MINUTE, zone, () -> rounds.repair().spreadCrowded()));
    jobs.add(new Job("roll-call", EVERY_10_MINUTES, zone, () -> rounds.rollCall().run()));
    jobs.add(
        new Job(
            "placement-audit",
            schedule.placementAudit(),
            zone,
            () -> {
              rediscover();
              rounds.placementAudit().run();
            }));
    for (ScrubDepth depth : ScrubDepth.values()) {
      // Each runs for as long as anything is due, which may be for ever.
      jobs.add(
          new Job(
              "scrub-" + depth.tag(),
              EVERY_MINUTE,
              zone,
              () -> {
                rediscover();
                long unused = rounds.scrub(depth).run();
              }));
    }
    jobs.add(new Job("clean-up", schedule.cleanUp(), zone, () -> rounds.cleanUp().run()));
    return jobs.stream().map(this::whilePresent).toList();
  }

  private List<Job> ofPolicies(Policies policies) {
    lastRuns.keep(policies);
    List<Job> jobs = new ArrayList<>();
    for (Policy policy : policies.inOrder()) {
      policy.schedule().ifPresent(cron -> jobs.add(whilePresent(jobOf(policy, cron))));
    }
    return jobs;
  }

  private Job jobOf(Policy policy, String cron) {
    Job job =
        new Job(
            nameOf(policy),
            cron,
            policy.runs().timeZone(),
            () -> {
              rediscover();
              if (rounds.recency().prepare()) { // else nothing is cold, and it is to be made up for
                Instant unused = lastRuns.began(policy);
              }
              rounds.raid().run(policy::equals);
            });
    Instant last = lastRuns.of(policy);
    return policy.runs().misfire() == Misfire.RUN
        ? job.makingUpForRunsMissedSince(last)
        : job.skippingMissedRuns();
  }

  /** Files that no policy would have taken may be taken now, so all are looked at again. */
  void putInForce(Policies policies, Schedule running) {
    rounds.policies().replace(policies);
    catalog.namespace().restoreOrder();
    running.replace(OF_POLICIES, ofPolicies(policies));
    boolean unused = running.runNow("census");
  }

  /** Once the last trace is removed there is nothing to do, and nothing may be made again. */
  private Job whilePresent(Job job) {
    return job.doing(
        () -> {
          if (rounds.intent().gone().isEmpty()) {
            job.task().run();
          }
        });
  }

  /** A new catalog knows neither what is raided nor what files there are: HDFS does. */
  private void rediscover() throws IOException {
    if (catalog.notes().instant(IntegrityRound.LAST_CHECK).isEmpty()) {
      rounds.integrity().run();
    }
    synchronized (rounds.scan()) { // or each job that waits for the first scan would do its own
      if (catalog.notes().instant(Notes.LAST_SCAN).isEmpty()) {
        rounds.scan().run();
      }
    }
  }

  private static String nameOf(Policy policy) {
    return OF_POLICIES + policy.name();
  }

  /** When a policy runs next. */
  static Optional<Instant> nextRun(Schedule schedule, Policy policy) {
    return schedule
        .find(policy.schedule().isPresent() ? nameOf(policy) : "scan")
        .flatMap(JobReport::nextRun);
  }
}
