// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.AccessRate;
import io.hdfsraid.policies.AccessSamples;
import io.hdfsraid.policies.Budget;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.ReheatRule;
import io.hdfsraid.policies.RunSettings;
import io.hdfsraid.policies.capacity.CapacityGate;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.policies.window.WeeklyWindow;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.policies.FileExplanation;
import io.hdfsraid.raidapi.windows.WindowStatus;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.rest.files.FileSummaries;
import io.hdfsraid.raidnode.select.CodecEstimate;
import io.hdfsraid.raidnode.select.PoliciesInForce;
import io.hdfsraid.raidnode.select.RaidedUse;
import io.hdfsraid.recency.ListedNamespace;
import io.hdfsraid.recency.Recency;
import io.hdfsraid.recency.RecencyOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileExplainerTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final Instant NEXT_RUN = Instant.parse("2026-03-02T02:00:00Z");
  private static final Duration COOL_DOWN = Duration.ofDays(30);
  private static final FileFacts FILE =
      FileFacts.of("/data/1", 20_001, 1_000_000_000, 4_000_000, 3, NOW.minus(Duration.ofDays(400)));
  private static final Policy COLD =
      new Policy(
              "cold",
              List.of(PathGlob.of("/data")),
              List.of(),
              Duration.ofDays(1),
              Duration.ZERO,
              0,
              new Protection("rs-10-4", 1, 1),
              Optional.empty())
          .running(
              new RunSettings(
                  Optional.empty(),
                  RunSettings.Misfire.SKIP,
                  ZoneOffset.UTC,
                  TimeWindows.of(
                      List.of(
                          WeeklyWindow.of(
                              TimeWindows.everyDay(), LocalTime.of(20, 0), LocalTime.of(23, 0))),
                      List.of(),
                      ZoneOffset.UTC),
                  Optional.of(new CapacityRule(80, 70, Optional.empty())),
                  Budget.NONE))
          .reheating(new ReheatRule(5, Duration.ofDays(2), Duration.ofDays(7), COOL_DOWN));

  @TempDir private Path folder;
  private FileFacts file = FILE;
  private Catalog catalog;
  private FileExplainer explanations;

  @BeforeEach
  void open() throws IOException {
    catalog = Catalog.open(folder, CLOCK);
    Recency recency =
        new Recency(
            catalog.namespace(),
            catalog.notes(),
            reads -> {},
            new ListedNamespace(),
            RecencyOptions.listing("/.raid", Optional.of(Instant.EPOCH)),
            CLOCK);
    long unused = recency.refresh();
    PoliciesInForce policies =
        new PoliciesInForce(
            new Policies(List.of(COLD), List.of(), 0),
            held -> new Judge(held, "/.raid", new CodecEstimate(), CLOCK));
    PolicyOutlook outlook =
        new PolicyOutlook(
            new PolicyList(policies::policies, policy -> Optional.of(NEXT_RUN)),
            policies,
            new WorkingHours(catalog.notes(), CLOCK),
            (policy, rule) ->
                CapacityGate.resumed(rule, CapacityGate.State.RESTING)
                    .look(new SpaceUsage(63, 100, 0)),
            new RaidedUse(catalog.earlierUse(), CLOCK),
            CLOCK);
    explanations =
        new FileExplainer(
            path -> file,
            catalog,
            policies,
            recency,
            outlook,
            new FileSummaries(policies::policies, catalog.groups(), path -> Optional.empty()),
            CLOCK);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  @Test
  void aFileThatWasReheatedIsExplainedByItsCoolDown() throws IOException {
    assertThat(explanations.explain("/data/1").raid()).isTrue();
    Instant reheated = NOW.minus(Duration.ofDays(3));
    catalog.reheats().put(FILE.inodeId(), reheated);

    FileExplanation explanation = explanations.explain("/data/1");

    assertThat(explanation.reason()).contains(Reason.COOLING_DOWN.name());
    assertThat(explanation.changesAt()).contains(reheated.plus(COOL_DOWN));
  }

  @Test
  void ofACandidateItIsToldWhenItsPolicyMayAct() throws IOException {
    FileExplanation explanation = explanations.explain("/data/1");

    assertThat(explanation.acting())
        .contains(
            new FileExplanation.Acting(
                "cold",
                new WindowStatus(
                    false,
                    0,
                    Optional.of(Instant.parse("2026-03-01T20:00:00Z")),
                    "outside all windows (Z)"),
                Optional.of(NEXT_RUN),
                Optional.of(
                    "63.0 % of the cluster will be occupied once all has left that is to leave;"
                        + " none is raided before it is above 80 %.")));
    assertThat(explanation.reheating()).isEmpty();
  }

  @Test
  void ofARaidedFileItIsToldWhatItLacksForItsReplicas() throws IOException {
    Instant raided = NOW.minus(Duration.ofDays(3));
    Instant reheated = raided.minus(Duration.ofDays(10));
    catalog.reheats().put(FILE.inodeId(), reheated);
    AccessRate before = new AccessRate(10, raided, Duration.ofDays(30));
    catalog.earlierUse().put(FILE.inodeId(), AccessSamples.beginning(raided, before));
    file = FILE.withAccessRate(before.plus(NOW.minusSeconds(3_600)).plus(NOW.minusSeconds(60)));
    catalog
        .files()
        .put(
            new FileRecord(
                FILE, FileProgress.of(FileState.RAIDED, "cold", raided), Optional.empty(), raided));

    FileExplanation explanation = explanations.explain("/data/1");

    assertThat(explanation.acting()).isEmpty();
    FileExplanation.Reheating reheating = explanation.reheating().orElseThrow();
    assertThat(reheating.counted().orElseThrow()).isBetween(1.2, 2.5);
    assertThat(reheating.accesses()).isEqualTo(5);
    assertThat(reheating.within()).isEqualTo(Duration.ofDays(2));
    assertThat(reheating.residentUntil()).isEqualTo(raided.plus(Duration.ofDays(7)));
    assertThat(reheating.coolUntil()).contains(reheated.plus(COOL_DOWN));
    assertThat(catalog.earlierUse().of(FILE.inodeId()))
        .as("to explain changes nothing")
        .contains(AccessSamples.beginning(raided, before));
  }

  @Test
  void aFileThatNobodyKeepsIsWhatTheVerdictMakesOfIt() throws IOException {
    assertThat(explanations.explain("/data/1").file().state()).isEqualTo(FileState.CANDIDATE);

    catalog.reheats().put(FILE.inodeId(), NOW.minus(Duration.ofDays(3)));

    assertThat(explanations.explain("/data/1").file().state()).isEqualTo(FileState.LEFT);
  }
}
