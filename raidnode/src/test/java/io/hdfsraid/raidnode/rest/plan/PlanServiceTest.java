// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.policies.Budget;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.RunSettings;
import io.hdfsraid.policies.capacity.CapacityGate;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.raidapi.plan.RaidingPlan;
import io.hdfsraid.raidapi.plan.RaidingPlan.Candidates;
import io.hdfsraid.raidapi.savings.SavingsReport.Skipped;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.EvaluationLine;
import io.hdfsraid.raidnode.catalog.EvaluationReport;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.select.CodecEstimate;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanServiceTest {
  private static final Instant NOW = Instant.parse("2029-03-01T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final Policy WAREHOUSE = policy("warehouse");
  private static final Policy LOGS =
      policy("logs")
          .running(
              new RunSettings(
                  Optional.empty(),
                  RunSettings.Misfire.SKIP,
                  ZoneOffset.UTC,
                  TimeWindows.NONE,
                  Optional.of(new CapacityRule(80, 70, Optional.empty())),
                  Budget.NONE));

  @TempDir Path folder;

  private Catalog catalog;
  private WorkingHours hours;
  private Tuning tuning = Tuning.workers(1, 1, 1);

  private static Policy policy(String name) {
    return new Policy(
        name,
        List.of(PathGlob.of("/" + name + "/**")),
        List.of(),
        Duration.ofDays(90),
        Duration.ofDays(1),
        5,
        new Protection("rs-6-3", 1, 2),
        Optional.empty());
  }

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, CLOCK);
    hours = new WorkingHours(catalog.notes(), CLOCK);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private PlanService service() {
    return new PlanService(
        catalog.notes(),
        catalog.files(),
        new PoliciesInForce(
            Policies.of(WAREHOUSE, LOGS),
            held -> new Judge(held, "/.raid", new CodecEstimate(), CLOCK)),
        hours,
        (policy, rule) ->
            CapacityGate.resumed(rule, CapacityGate.State.RESTING).look(new SpaceUsage(63, 100, 0)),
        () -> tuning);
  }

  private void counted(EvaluationLine... lines) {
    catalog
        .notes()
        .record(
            Notes.EVALUATION, new EvaluationReport(NOW.minusSeconds(60), 4_711, List.of(lines)));
  }

  private static EvaluationLine candidates(String policy, long files) {
    return new EvaluationLine(policy, Optional.empty(), files, 600, 1_800, 1_200, 4);
  }

  private static EvaluationLine left(String policy, Reason reason, long bytes) {
    return new EvaluationLine(policy, Optional.of(reason), 2, bytes, 3 * bytes, 3 * bytes, 0);
  }

  @Test
  void beforeAnythingWasCountedItSaysSo() {
    assertThatThrownBy(() -> service().plan(Optional.empty()))
        .isInstanceOf(ApiFailure.class)
        .hasMessageContaining("not been evaluated yet");
  }

  @Test
  void everyPolicyHasWhatItWillDoAndWhatItCosts() {
    counted(candidates("warehouse", 3), left("", Reason.NO_POLICY, 7));

    RaidingPlan seen = service().plan(Optional.empty());

    assertThat(seen.counted()).isEqualTo(NOW.minusSeconds(60));
    assertThat(seen.files()).isEqualTo(4_711);
    assertThat(seen.policies())
        .extracting(RaidingPlan.PolicyPlan::policy)
        .containsExactly("warehouse", "logs");
    assertThat(seen.policies().get(0).candidates())
        .isEqualTo(new Candidates(3, 600, 1_800, 1_200, 4));
    assertThat(seen.policies().get(0).candidates().saving()).isEqualTo(600);
    assertThat(seen.policies().get(1).candidates()).isEqualTo(Candidates.NONE);
    assertThat(seen.policies().get(0).time()).as("without a bound").isEmpty();
    assertThat(seen.skipped()).containsExactly(new Skipped("NO_POLICY", 2, 7, 21));
  }

  @Test
  void whatRaidingHasTakenUpSinceIsNotStillToDo() {
    counted(candidates("warehouse", 3), candidates("logs", 8));
    FileRecord taken =
        FileRecord.candidate(FileFacts.of("/warehouse/a", 7, 200, 100, 3, NOW), "operator", NOW);
    catalog.files().put(taken);
    catalog
        .files()
        .put(
            FileRecord.candidate(
                FileFacts.of("/elsewhere/a", 8, 100, 100, 3, NOW), "operator", NOW));

    RaidingPlan seen = service().plan(Optional.empty());

    assertThat(seen.policies().get(0).candidates())
        .isEqualTo(new Candidates(2, 400, 1_200, 800, 3));
    assertThat(seen.policies().get(0).taken()).isEqualTo(new RaidingPlan.Taken(1, 200));
    assertThat(seen.policies().get(1).candidates().files()).isEqualTo(8);
    assertThat(seen.policies().get(1).taken()).isEqualTo(RaidingPlan.Taken.NONE);

    catalog.files().newcomers().settle(List.of(7L));
    assertThat(service().plan(Optional.empty()).policies().get(0).taken())
        .as("an evaluation has not counted it any more")
        .isEqualTo(RaidingPlan.Taken.NONE);
  }

  @Test
  void ofAPolicyThatMakesRoomItSaysHowFullItIs() {
    counted(candidates("logs", 3));

    List<RaidingPlan.PolicyPlan> seen = service().plan(Optional.empty()).policies();

    assertThat(seen.get(0).space()).isEmpty();
    assertThat(seen.get(1).capacity()).contains("above 80 % of the cluster, until below 70 %");
    assertThat(seen.get(1).space())
        .hasValueSatisfying(
            text -> assertThat(text).contains("63.0 %", "none is raided before it is above 80 %"));
  }

  @Test
  void timeIsForEveryByteReadAndEveryByteOfParityWritten() {
    counted(candidates("warehouse", 3));
    Tuning.Share raiding = new Tuning.Share(1, 7, 0);
    tuning =
        new Tuning(
            raiding,
            tuning.repair(),
            tuning.urgentRepair(),
            tuning.moves(),
            tuning.scrub(),
            0,
            1,
            0,
            Duration.ZERO,
            Tuning.Containers.NONE);

    RaidingPlan seen = service().plan(Optional.empty());

    assertThat(seen.engine()).isEqualTo("local");
    assertThat(seen.bytesPerSecond()).isEqualTo(7);
    // 600 to read, and of the 1200 that are left 600 are parity: 1200 / 7, rounded up.
    assertThat(seen.policies().get(0).time()).contains(Duration.ofSeconds(172));
    assertThat(seen.policies().get(1).time()).contains(Duration.ZERO);

    tuning = tuning.in(new Tuning.Containers(true, Tuning.Repairs.NONE, 1, 12));
    RaidingPlan inContainers = service().plan(Optional.empty());
    assertThat(inContainers.engine()).isEqualTo("yarn");
    assertThat(inContainers.policies().get(0).time()).contains(Duration.ofSeconds(100));
  }

  @Test
  void whatIsLeftIsSummedByReasonAndSmallFilesBesides() {
    counted(
        left("warehouse", Reason.TOO_SMALL, 10),
        left("logs", Reason.TOO_SMALL, 20),
        left("logs", Reason.WOULD_NOT_SAVE, 100),
        left("logs", Reason.NO_COMPANY, 1_000),
        left("logs", Reason.STILL_WARM, 5));

    RaidingPlan all = service().plan(Optional.empty());

    assertThat(all.skipped())
        .containsExactly(
            new Skipped("NO_COMPANY", 2, 1_000, 3_000),
            new Skipped("WOULD_NOT_SAVE", 2, 100, 300),
            new Skipped("TOO_SMALL", 4, 30, 90),
            new Skipped("STILL_WARM", 2, 5, 15));
    assertThat(all.smallFiles()).isEqualTo(new Skipped("small", 6, 1_030, 3_090));
  }

  @Test
  void oneOfThePoliciesMayBeAskedFor() {
    counted(
        candidates("warehouse", 3),
        candidates("logs", 8),
        left("warehouse", Reason.TOO_SMALL, 10),
        left("logs", Reason.STILL_WARM, 20));

    RaidingPlan logs = service().plan(Optional.of("logs"));

    assertThat(logs.policies())
        .singleElement()
        .satisfies(one -> assertThat(one.candidates().files()).isEqualTo(8));
    assertThat(logs.skipped()).containsExactly(new Skipped("STILL_WARM", 2, 20, 60));
    assertThat(logs.smallFiles().files()).isZero();
    assertThatThrownBy(() -> service().plan(Optional.of("typo")))
        .isInstanceOf(ApiFailure.class)
        .hasMessageContaining("no policy typo");
  }

  @Test
  void aPolicyThatMayNotActNowSaysUntilWhen() {
    counted(candidates("warehouse", 3));
    assertThat(service().plan(Optional.empty()).policies().get(0).window())
        .satisfies(now -> assertThat(now.open()).isTrue())
        .satisfies(now -> assertThat(now.percent()).isEqualTo(100))
        .satisfies(now -> assertThat(now.until()).isEmpty());

    hours.override(new ManualOverride(ManualOverride.State.CLOSED, NOW.plusSeconds(3_600)));

    assertThat(service().plan(Optional.empty()).policies().get(0).window())
        .satisfies(now -> assertThat(now.open()).isFalse())
        .satisfies(now -> assertThat(now.until()).contains(NOW.plusSeconds(3_600)))
        .satisfies(now -> assertThat(now.why()).isNotEmpty());
  }
}
