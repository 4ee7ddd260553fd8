// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.Budget;
import io.hdfsraid.policies.Judge;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.RunSettings;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.policies.window.ManualOverride;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.policies.window.WeeklyWindow;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.mode.WorkingHours;
import io.hdfsraid.raidnode.scrub.FirstReads;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ActingPoliciesTest {
  private static final Clock NOON =
      Clock.fixed(Instant.parse("2029-06-01T12:00:00Z"), ZoneOffset.UTC);
  private static final Policy ALWAYS = policy("always", TimeWindows.NONE, Optional.empty());
  private static final Policy AT_NIGHT =
      policy(
          "at night",
          TimeWindows.of(
              List.of(
                  WeeklyWindow.of(
                      TimeWindows.everyDay(), LocalTime.of(20, 0), LocalTime.of(23, 0))),
              List.of(),
              ZoneOffset.UTC),
          Optional.empty());
  private static final Policy MAKES_ROOM =
      policy(
          "makes room", TimeWindows.NONE, Optional.of(new CapacityRule(80, 70, Optional.empty())));

  @TempDir Path folder;

  private Catalog catalog;
  private OperatingMode mode;
  private PoliciesInForce inForce;
  private ActingPolicies acting;
  private long usedPercent = 50;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, NOON);
    mode = new OperatingMode(catalog.notes(), NOON);
    inForce =
        new PoliciesInForce(
            policies(ALWAYS, AT_NIGHT, MAKES_ROOM),
            held -> new Judge(held, "/.raid", new CodecEstimate(), NOON));
    acting =
        new ActingPolicies(
            inForce,
            mode,
            new WorkingHours(catalog.notes(), NOON),
            new RememberedGates(catalog, rule -> new SpaceUsage(usedPercent, 100, 0)),
            new FirstReads(
                catalog.scrubs(),
                new ScrubJob.Settings(
                    Duration.ofHours(6), Duration.ofDays(30), Duration.ofDays(7))),
            NOON);
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private static Policies policies(Policy... inOrder) {
    return new Policies(List.of(inOrder), List.of(), 0);
  }

  private static Policy policy(String name, TimeWindows windows, Optional<CapacityRule> capacity) {
    return new Policy(
            name,
            List.of(PathGlob.of("/data")),
            List.of(),
            Duration.ofDays(1),
            Duration.ZERO,
            0,
            new Protection("rs-6-3", 1, 1),
            Optional.empty())
        .running(
            new RunSettings(
                Optional.empty(),
                RunSettings.Misfire.SKIP,
                ZoneOffset.UTC,
                windows,
                capacity,
                Budget.NONE));
  }

  @Test
  void policiesActInsideTheirWindows() {
    assertThat(acting.open(policy -> true)).containsExactlyInAnyOrder("always", "makes room");
    assertThat(acting.open(AT_NIGHT::equals)).isEmpty();
    assertThat(acting.intensity(Set.of("at night"))).isEmpty();
    assertThat(acting.intensity(Set.of("always"))).hasValue(100);
  }

  @Test
  void nothingActsWhileTheDaemonIsPaused() {
    mode.pause();

    assertThat(acting.isPaused()).isTrue();
    assertThat(acting.open(policy -> true)).isEmpty();
    assertThat(acting.mayRaid("always")).isFalse();
  }

  @Test
  void nothingIsRaidedWhileWhatWasRaidedBeforeWaitsTooLongForItsFirstRead() {
    Instant now = NOON.instant();
    Instant overdue = now.minus(Duration.ofDays(8));
    catalog.scrubs().meet(7, now.minus(Duration.ofDays(6)));
    assertThat(acting.mayRaid("always")).isTrue();

    catalog.scrubs().meet(8, overdue);
    assertThat(acting.heldBackSince()).contains(overdue);
    assertThat(acting.mayRaid("always")).isFalse();
    assertThat(acting.open(ALWAYS::equals)).as("policies may act otherwise").hasSize(1);

    ScrubDepth deep = ScrubDepth.DEEP;
    Instant tomorrow = now.plus(Duration.ofDays(1));
    catalog.scrubs().update(8, it -> it.with(deep, it.at(deep).postpone(tomorrow)));
    assertThat(acting.mayRaid("always")).as("its DataNode does not answer").isTrue();
  }

  @Test
  void anOverrideOpensAllWindows() {
    acting
        .hours()
        .override(
            new ManualOverride(
                ManualOverride.State.OPEN, NOON.instant().plus(Duration.ofHours(1))));

    assertThat(acting.mayRaid("at night")).isTrue();
  }

  @Test
  void aPolicyThatMakesRoomRaidsOnlyWhileRoomIsWanted() {
    assertThat(acting.mayRaid("makes room")).as("50 % used").isFalse();

    usedPercent = 90;
    assertThat(acting.mayRaid("makes room")).as("90 % used").isTrue();
  }

  @Test
  void aPolicyThatIsNoLongerInForceMayNotRaid() {
    inForce.replace(policies(AT_NIGHT));

    assertThat(acting.mayRaid("always")).isFalse();
  }
}
