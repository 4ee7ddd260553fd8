// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.RunSettings.Misfire;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.savings.SavingsTrend;
import io.hdfsraid.raidapi.status.Space;
import io.hdfsraid.raidnode.audit.AuditJob;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.catalog.SavingsDays;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.config.ScheduleSettings;
import io.hdfsraid.raidnode.hdfs.KerberosLogin;
import io.hdfsraid.raidnode.health.DataNodesWatch;
import io.hdfsraid.raidnode.health.NameNodeWatch;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.mode.DecisionMirror;
import io.hdfsraid.raidnode.rest.status.CatalogSummary;
import io.hdfsraid.raidnode.schedule.Job;
import io.hdfsraid.raidnode.schedule.JobReport;
import io.hdfsraid.raidnode.schedule.Schedule;
import io.hdfsraid.raidnode.upkeep.DailyTurn;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The jobs of the daemon and the times at which they run. */
final class Jobs {
  private static final Logger LOG = LoggerFactory.getLogger(Jobs.class);

  /**
   * The interval of the reconciler: files between two states wait for HDFS, which takes seconds to
   * hours.
   */
  private static final String EVERY_15_SECONDS = "0/15 * * * * ?";

  private static final String EVERY_SECOND = "* * * * * ?";
  private static final String EVERY_2_SECONDS = "0/2 * * * * ?";
  private static final String EVERY_5_SECONDS = "0/5 * * * * ?";
  private static final String EVERY_10_SECONDS = "0/10 * * * * ?";
  private static final String EVERY_MINUTE = "30 * * * * ?";
  private static final String EVERY_10_MINUTES = "0 0/10 * * * ?";
  private static final String EVERY_HOUR = "50 59 * * * ?";
  private static final String EVERY_DAY_AT_NOON = "0 0 12 * * ?";

  /** Prefix of the names of the jobs that run one policy each. */
  private static final String OF_POLICIES = "policy ";

  private final JobWiring wiring;
  private final Catalog catalog;
  private final Fence fence;
  private final DecisionMirror decisions;
  private final Runnable namespace;
  private final Optional<KerberosLogin> login;
  private final Optional<AuditJob> audit;
  private final ScheduleSettings schedule;
  private final boolean requestsBlockReports;
  private final NameNodeWatch nameNode;
  private final LastRuns lastRuns;
  private final Clock clock;

  /**
   * Creates the jobs.
   *
   * @param namespace notes how far the namespace has come
   * @param requestsBlockReports whether DataNodes are asked for block reports after a failover
   */
  Jobs(
      JobWiring wiring,
      Catalog catalog,
      Fence fence,
      DecisionMirror decisions,
      Runnable namespace,
      Optional<AuditJob> audit,
      NameNodeWatch nameNode,
      Optional<KerberosLogin> login,
      ScheduleSettings schedule,
      boolean requestsBlockReports,
      Clock clock) {
    this.wiring = wiring;
    this.catalog = catalog;
    this.fence = fence;
    this.decisions = decisions;
    this.namespace = namespace;
    this.audit = audit;
    this.nameNode = nameNode;
    this.login = login;
    this.schedule = schedule;
    this.requestsBlockReports = requestsBlockReports;
    this.lastRuns = new LastRuns(catalog.notes(), clock);
    this.clock = clock;
  }

  /** Returns all jobs, with one for each policy in force that has a schedule. */
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
              wiring.select().evaluation().scan();
              wiring.select().raid().run(policy -> policy.schedule().isEmpty());
            }));
    jobs.addAll(ofPolicies(wiring.select().policies().policies()));
    jobs.add(
        new Job(
            "evaluation",
            EVERY_DAY_AT_NOON,
            zone,
            () -> {
              rediscover();
              wiring.select().evaluation().evaluate();
            }));
    wiring
        .raiding()
        .containers()
        .ifPresent(
            containers -> jobs.add(new Job("containers", EVERY_2_SECONDS, zone, containers::turn)));
    wiring
        .repair()
        .containers()
        .ifPresent(
            containers -> {
              jobs.add(
                  new Job(
                      "repair-containers",
                      EVERY_2_SECONDS,
                      zone,
                      () -> {
                        wiring.repair().bulk().look();
                        containers.turn();
                      }));
              jobs.add(new Job("repair-answers", EVERY_SECOND, zone, containers::hear));
            });
    jobs.add(
        new Job(
                "namenode",
                EVERY_10_SECONDS,
                zone,
                () -> {
                  namespace.run();
                  nameNode.look();
                })
            .evenWhileTroubleIsOn());
    login.ifPresent(
        in ->
            jobs.add(new Job("kerberos", EVERY_5_SECONDS, zone, in::renew).evenWhileTroubleIsOn()));
    jobs.add(new Job("recency", EVERY_5_SECONDS, zone, () -> wiring.select().recency().follow()));
    jobs.add(new Job("recency-watch", EVERY_MINUTE, zone, () -> wiring.select().recency().watch()));
    jobs.add(new Job("reheat", EVERY_10_MINUTES, zone, () -> wiring.select().reheat().run()));
    jobs.add(new Job("integrity-check", schedule.integrityCheck(), zone, this::checkIntegrity));
    jobs.add(
        new Job(
            "reconcile",
            EVERY_15_SECONDS,
            zone,
            () -> {
              rediscover();
              try {
                wiring.upkeep().withdrawal().run();
              } finally {
                // Afterwards: what is to be unraided need not be reduced before.
                int unused = wiring.upkeep().reconciler().run();
              }
            }));
    jobs.add(
        new Job(
            "changed-files",
            EVERY_5_SECONDS,
            zone,
            () -> {
              int unused = wiring.upkeep().changedFiles().run();
            }));
    // Jobs of their own: a backlog takes hours. New losses and stripes at risk must not wait for
    // it.
    jobs.add(
        new Job(
            "loss-reports",
            EVERY_15_SECONDS,
            zone,
            () -> wiring.detection().reportedLosses().run()));
    jobs.add(
        new Job(
            "silent-nodes",
            EVERY_MINUTE,
            zone,
            () -> {
              int unused = wiring.detection().silentNodes().run();
              List<DataNodesWatch.Seen> unusedNodes = wiring.detection().dataNodes().look();
            }));
    jobs.add(new Job("opened-files", EVERY_MINUTE, zone, () -> wiring.repair().job().wakeOpened()));
    jobs.add(
        new Job("urgent-repair", EVERY_5_SECONDS, zone, () -> wiring.repair().job().runAtRisk())
            .lastingAsLongAsThereIsWork());
    jobs.add(
        new Job("repair", EVERY_15_SECONDS, zone, () -> wiring.repair().job().run())
            .lastingAsLongAsThereIsWork());
    jobs.add(
        new Job("spread-repaired", EVERY_MINUTE, zone, () -> wiring.repair().job().spreadCrowded())
            .lastingAsLongAsThereIsWork());
    jobs.add(new Job("membership-check", EVERY_10_MINUTES, zone, this::checkMemberships));
    jobs.add(
        new Job(
            "placement-audit",
            schedule.placementAudit(),
            zone,
            () -> {
              rediscover();
              wiring.upkeep().placementAudit().run();
            }));
    if (requestsBlockReports) {
      jobs.add(
          new Job(
              "block-reports", EVERY_5_SECONDS, zone, () -> wiring.upkeep().blockReports().run()));
    }
    for (ScrubDepth depth : ScrubDepth.values()) {
      // Each runs as long as anything is due, possibly for ever.
      jobs.add(
          new Job(
                  "scrub-" + depth.tag(),
                  EVERY_MINUTE,
                  zone,
                  () -> {
                    rediscover();
                    long unused = wiring.scrub().job(depth).run();
                  })
              .lastingAsLongAsThereIsWork());
    }
    jobs.add(
        new Job("owner-check", EVERY_10_SECONDS, zone, this::checkOwner).evenWhileTroubleIsOn());
    audit.ifPresent(job -> jobs.add(new Job("audit-log", EVERY_MINUTE, zone, job::run)));
    jobs.add(new Job("savings-days", EVERY_HOUR, zone, this::noteSavings));
    jobs.add(new Job("clean-up", schedule.cleanUp(), zone, () -> wiring.upkeep().cleanUp().run()));
    return jobs.stream().map(this::whilePresent).toList();
  }

  private void noteSavings() throws IOException {
    CatalogSummary summary =
        new CatalogSummary(catalog, wiring.raiding().pipelines().unaudited()::excess);
    Space space = summary.space();
    new SavingsDays(catalog)
        .add(
            new SavingsTrend.Day(
                LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC),
                summary.files().getOrDefault(FileState.RAIDED, 0L),
                space.logicalBytes(),
                space.physicalBytes(),
                space.savedBytes(),
                Map.of(),
                List.of()));
  }

  /** The status, the health check and the log tell what comes of it. */
  private void checkOwner() {
    try {
      fence.pass();
    } catch (IOException e) {
      LOG.debug("The fence was not passed", e);
      return;
    }
    try {
      decisions.update();
    } catch (IOException e) {
      LOG.warn("What operators have decided could not be kept in the root of the parity", e);
    }
  }

  private void checkIntegrity() throws IOException {
    Optional<DailyTurn> turn = turnSince(Notes.LAST_CHECK);
    if (turn.isPresent()) {
      wiring.detection().integrity().run(turn.get());
    } else {
      wiring.detection().integrity().run();
    }
  }

  private void checkMemberships() throws IOException {
    Instant began = clock.instant();
    Optional<DailyTurn> turn = turnSince(Notes.LAST_MEMBERSHIP_CHECK);
    int unused =
        turn.isPresent()
            ? wiring.upkeep().membershipCheck().run(turn.get())
            : wiring.upkeep().membershipCheck().run();
    catalog.notes().instant(Notes.LAST_MEMBERSHIP_CHECK, began);
  }

  /** Returns what is enough to check now; empty for everything. */
  private Optional<DailyTurn> turnSince(String note) {
    return catalog
        .notes()
        .instant(note)
        .filter(wiring.select().recency()::reportsChangesSince)
        .map(last -> new DailyTurn(last, clock.instant()));
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
              if (wiring
                  .select()
                  .recency()
                  .prepare()) { // else nothing is cold, and the run is made up for later
                Instant unused = lastRuns.began(policy);
              }
              wiring.select().raid().run(policy::equals);
            });
    Instant last = lastRuns.of(policy);
    return policy.runs().misfire() == Misfire.RUN
        ? job.makingUpForRunsMissedSince(last)
        : job.skippingMissedRuns();
  }

  /**
   * Replaces the policies. They may take files that no policy took before, so all are judged again.
   */
  void putInForce(Policies policies, Schedule running) {
    wiring.select().policies().replace(policies);
    catalog.namespace().unskipAll();
    running.replace(OF_POLICIES, ofPolicies(policies));
    boolean unused = running.runNow("evaluation");
  }

  /**
   * Skips a job once the daemon has withdrawn and removed its root: it must not be created again.
   */
  private Job whilePresent(Job job) {
    return job.doing(
        () -> {
          if (wiring.upkeep().mode().gone().isEmpty()) {
            job.task().run();
          }
        });
  }

  /** Fills a new catalog from HDFS: with the raided files, then with all files. */
  private void rediscover() throws IOException {
    // Or each job that waits for the first check or the first scan would do its own.
    synchronized (wiring.detection().integrity()) {
      if (catalog.notes().instant(Notes.LAST_CHECK).isEmpty()) {
        wiring.detection().integrity().run();
      }
    }
    synchronized (wiring.select().evaluation()) {
      if (catalog.notes().instant(Notes.LAST_SCAN).isEmpty()) {
        wiring.select().evaluation().scan();
      }
    }
  }

  private static String nameOf(Policy policy) {
    return OF_POLICIES + policy.name();
  }

  /** Returns when a policy runs next. */
  static Optional<Instant> nextRun(Schedule schedule, Policy policy) {
    return schedule
        .find(policy.schedule().isPresent() ? nameOf(policy) : "scan")
        .flatMap(JobReport::nextRun);
  }
}
