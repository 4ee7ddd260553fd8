// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.raidapi.status.Problem;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.DegradedStripe;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.config.BlockReportRule;
import io.hdfsraid.raidnode.config.PoliciesWatch;
import io.hdfsraid.raidnode.hdfs.NameNodeTrouble;
import io.hdfsraid.raidnode.hdfs.Ownership;
import io.hdfsraid.raidnode.health.JobsHealth;
import io.hdfsraid.raidnode.health.NameNodeWatch;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.raiding.core.ExcessReplicas;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import io.hdfsraid.raidnode.repair.StormBreaker.Storm;
import io.hdfsraid.raidnode.rest.scrub.ScrubSummary;
import io.hdfsraid.raidnode.schedule.JobReport;
import io.hdfsraid.raidnode.scrub.FirstReads;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import io.hdfsraid.recency.source.AccessTimeSource;
import io.hdfsraid.recency.source.SourceState;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DaemonProblemsTest {
  private static final Instant NOW = Instant.parse("2029-06-01T00:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  @TempDir Path folder;

  private Catalog catalog;
  private OperatingMode mode;
  private WorkingHours hours;
  private Ownership ownership = new Ownership(Ownership.State.HELD, "");
  private Optional<NameNodeWatch.Outage> outage = Optional.empty();
  private Optional<Storm> storm = Optional.empty();
  private Optional<PoliciesWatch.Refusal> refusal = Optional.empty();
  private Optional<String> jobError = Optional.empty();
  private Optional<String> jobFailing = Optional.empty();
  private Optional<String> jobStall = Optional.empty();
  private Optional<String> sourceProblem = Optional.empty();
  private BlockReportRule rule = BlockReportRule.ASK;
  private final UnauditedStripes unaudited = new UnauditedStripes(2);

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, CLOCK);
    mode = new OperatingMode(catalog.notes(), CLOCK);
    hours = new WorkingHours(catalog.notes(), CLOCK);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private List<Problem> problems() {
    return new DaemonProblems(
            () -> outage,
            new OwnerSummary("process 1 on here", NOW, () -> ownership),
            new ModeProblems(mode, hours),
            new RepairProblems(() -> storm, new CatalogSummary(catalog, Optional::empty)),
            new ExcessProblems(unaudited, rule),
            new ScrubSummary(
                catalog,
                new FirstReads(
                    catalog.scrubs(),
                    new ScrubJob.Settings(
                        Duration.ofHours(6), Duration.ofDays(30), Duration.ofDays(7)))),
            () -> new PoliciesWatch.State(NOW, refusal, List.of()),
            () -> List.of(job()),
            () -> List.of(source()))
        .all(NOW);
  }

  private JobReport job() {
    return new JobReport(
        "scan",
        "0 0 2 * * ?",
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        jobError,
        jobFailing,
        jobStall,
        Optional.empty());
  }

  private SourceState source() {
    return new SourceState(
        "listing",
        Optional.empty(),
        "",
        Optional.empty(),
        Optional.empty(),
        Duration.ZERO,
        sourceProblem,
        Map.of());
  }

  private static DegradedStripe stripe(int index) {
    return new DegradedStripe(
        new StripeKey(100, index),
        7,
        "/data/a",
        "rs-6-3",
        UnitSet.of(0, 4),
        1,
        "NAMENODE",
        NOW,
        0,
        0);
  }

  @Test
  void aHealthyDaemonHasNone() {
    assertThat(problems()).isEmpty();
  }

  @Test
  void aSourceThatWillBeAskedInTheNextSecondsIsNone() {
    sourceProblem = Optional.of(AccessTimeSource.NOT_ASKED);
    assertThat(problems()).isEmpty();
  }

  @Test
  void anOutageOfTheNameNodeIsSaidFirstAndWithoutWhatFollowsFromIt() {
    outage =
        Optional.of(
            new NameNodeWatch.Outage(
                "hdfs://nn1:8020",
                NOW.minusSeconds(250),
                NameNodeTrouble.silence("Connection refused")));
    ownership = new Ownership(Ownership.State.UNCONFIRMED, "It is so.");
    jobError = Optional.of("Connection refused");
    sourceProblem = Optional.of("Connection refused");
    mode.pause();
    assertThat(problems()).extracting(Problem::code).containsExactly("NAMENODE_AWAY", "PAUSED");
    assertThat(problems().get(0).message())
        .isEqualTo(
            "NameNode hdfs://nn1:8020 has not answered since %s (4 min): Connection refused; raiding, repairs and scrubs wait"
                .formatted(NOW.minusSeconds(250)));
  }

  @ParameterizedTest
  @CsvSource({
    "UNCONFIRMED, OWNERSHIP_UNCONFIRMED, UNKNOWN",
    "ROOT_MOVED,  ROOT_MOVED,            UNKNOWN",
    "LOST,        OWNERSHIP_LOST,        LOST"
  })
  void anOwnershipThatIsNotHeldIsSaid(
      Ownership.State state, String code, Status.Owner.State shown) {
    ownership = new Ownership(state, "It is so.");
    assertThat(problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo(code);
              assertThat(problem.message()).isEqualTo("It is so.");
            });
    assertThat(new OwnerSummary("process 1 on here", NOW, () -> ownership).owner().state())
        .isEqualTo(shown);
  }

  @Test
  void afterTheNamespaceWasSetBackPoliciesPauseUntilAnOperatorKnows() {
    mode.withdraw(OperatingMode.Withdrawal.PURGE);
    mode.namespaceWasSetBack();
    assertThat(mode.withdrawal()).as("it may have been cancelled since").isEmpty();
    assertThat(mode.paused()).contains(NOW);
    assertThat(problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo("NAMESPACE_SET_BACK");
              assertThat(problem.message()).contains("as was noticed at " + NOW);
            });
    mode.resume();
    assertThat(problems()).isEmpty();
  }

  @Test
  void aRootThatWasMadeAgainPausesPoliciesUntilAnOperatorResumes() {
    mode.rootWasRemade();
    assertThat(problems()).extracting(Problem::code).containsExactly("ROOT_REMADE");
    assertThat(mode.paused()).contains(NOW);
    mode.resume();
    assertThat(problems()).isEmpty();
  }

  @Test
  void aJobThatFailsAgainAndAgainIsReportedInTheWordsOfTheHealthCheck() {
    jobError = Optional.of("disk full");
    assertThat(problems())
        .extracting(Problem::message)
        .containsExactly("Job scan failed: disk full");

    jobFailing = Optional.of("Job scan has failed 3 times in a row since noon: disk full");
    assertThat(problems())
        .containsExactly(
            new Problem("JOB_FAILED", jobFailing.get(), JobsHealth.AFTER_MANY_FAILURES));
  }

  private void haveAProblemOfEachSubject() {
    mode.pause();
    hours.override(new ManualOverride(ManualOverride.State.OPEN, NOW.plusSeconds(60)));
    storm = Optional.of(new Storm(NOW, "12 of 100 DataNodes are silent"));
    catalog.repairs().put(new RepairState.Unrecoverable(stripe(0), "", NOW));
    catalog.repairs().put(new RepairState.Parked(stripe(1), ""));
    catalog.scrubs().meet(7, NOW.minus(Duration.ofDays(8)));
    refusal = Optional.of(new PoliciesWatch.Refusal(NOW, List.of()));
    jobError = Optional.of("Connection refused");
    jobStall = Optional.of("Job scan has not ended for 90 minutes");
    sourceProblem = Optional.of("It is silent");
  }

  @Test
  void eachSubjectReportsItsOwnInTheSameOrder() {
    haveAProblemOfEachSubject();

    assertThat(problems())
        .extracting(Problem::code)
        .containsExactly(
            "PAUSED",
            "WINDOWS_OVERRIDDEN",
            "REPAIR_STORM",
            "UNRECOVERABLE_STRIPES",
            "PARKED_REPAIRS",
            "SCRUB_BEHIND",
            "POLICIES_REFUSED",
            "JOB_FAILED",
            "JOB_STALLED",
            "SOURCE_LISTING");
  }

  @Test
  void eachProblemSaysWhatToDo() {
    haveAProblemOfEachSubject();

    assertThat(problems())
        .allSatisfy(
            problem -> {
              assertThat(problem.message()).isNotEmpty();
              assertThat(problem.hint()).as(problem.code()).isNotEmpty();
            });
  }

  @Test
  void aWithdrawalIsReportedInsteadOfThePause() {
    mode.pause();
    mode.withdraw(OperatingMode.Withdrawal.UNRAID);

    assertThat(problems()).extracting(Problem::code).containsExactly("WITHDRAWING");
  }

  private static ExcessReplicas excess(Instant since, boolean awaitReports) {
    return new ExcessReplicas(
        since,
        3,
        2_500_000_000L,
        awaitReports,
        Set.of(
            new DataNode("u1", "10.0.0.1:9866", "node1", "/a"),
            new DataNode("u2", "10.0.0.2:9866", "node2", "/b")));
  }

  @Test
  void excessReplicasAreAProblemWhenTheyStayForLong() {
    unaudited.found(7, 1);
    unaudited.seen(7, Optional.of(excess(NOW.minusSeconds(9 * 60), true)));
    assertThat(problems()).as("HDFS needs some time").isEmpty();

    unaudited.found(8, 1);
    unaudited.seen(8, Optional.of(excess(NOW.minusSeconds(10 * 60), false)));
    assertThat(problems())
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo("EXCESS_REPLICAS");
              assertThat(problem.message())
                  .contains(
                      "6 units",
                      NOW.minusSeconds(10 * 60).toString(),
                      "5.0 GB are not freed",
                      "no full block report",
                      "Nothing is raided meanwhile");
              assertThat(problem.hint())
                  .contains("dfsadmin -triggerBlockReport", "node1, node2", "paced");
            });
  }

  @ParameterizedTest
  @EnumSource(BlockReportRule.class)
  void whatToDoAboutExcessReplicasDependsOnWhyTheyStay(BlockReportRule set) {
    rule = set;
    unaudited.found(7, 1);
    unaudited.seen(7, Optional.of(excess(NOW.minusSeconds(3_600), false)));
    assertThat(problems().get(0).message()).doesNotContain("report", "Nothing is raided");
    assertThat(problems().get(0).hint()).contains("PendingDeletionBlocks");

    unaudited.seen(7, Optional.of(excess(NOW, true)));
    assertThat(problems().get(0).message()).contains(NOW.minusSeconds(3_600).toString());
    assertThat(problems().get(0).hint())
        .contains(
            switch (set) {
              case ASK -> "dfsadmin";
              case PACED -> "The daemon asks";
              case NEVER -> "every 6 hours";
            });

    unaudited.seen(7, Optional.empty());
    assertThat(problems()).isEmpty();
  }
}
