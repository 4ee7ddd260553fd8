// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.Budget;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.RunSettings;
import io.hdfsraid.policies.Saving;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.raidnode.catalog.Catalog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLimitsTest {
  private static final Policy ANY =
      new Policy(
          "any",
          List.of(PathGlob.of("/")),
          List.of(),
          Duration.ZERO,
          Duration.ZERO,
          0,
          new Protection("rs-10-4", 1, 1),
          Optional.empty());

  @TempDir private Path folder;
  private Catalog catalog;
  private SpaceUsage cluster = new SpaceUsage(0, 1_000, 0);

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, Clock.systemUTC());
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private RunLimits limits(Policy policy) {
    return new RunLimits(List.of(policy), new RememberedGates(catalog, rule -> cluster));
  }

  private static Policy running(Optional<CapacityRule> capacity, Budget budget) {
    return ANY.running(
        new RunSettings(
            Optional.empty(),
            RunSettings.Misfire.SKIP,
            ZoneOffset.UTC,
            TimeWindows.NONE,
            capacity,
            budget));
  }

  /** How many files of 100 bytes are let through, of which each saves 15. */
  private static int admitted(RunLimits limits, Policy policy) {
    return admitted(limits, policy, "/warehouse/f");
  }

  private static int admitted(RunLimits limits, Policy policy, String path) {
    int admitted = 0;
    while (admitted < 50 && isAdmitted(limits, policy, path)) {
      admitted++;
    }
    return admitted;
  }

  private static boolean isAdmitted(RunLimits limits, Policy policy, String path) {
    return limits.admit(
        new Verdict.Raid(policy, new Saving(30, 15)),
        FileFacts.of(path, 1, 100, 100, 3, Instant.EPOCH));
  }

  private static Policy named(String name, Policy policy) {
    return new Policy(
            name,
            policy.paths(),
            List.of(),
            Duration.ZERO,
            Duration.ZERO,
            0,
            new Protection("rs-10-4", 1, 1),
            Optional.empty())
        .running(policy.runs());
  }

  @Test
  void whatOnePolicyRaidsIsRoomThatAnotherNeedNotMake() {
    Policy timed = named("timed", ANY);
    Policy first = running(Optional.of(new CapacityRule(80, 70, Optional.empty())), Budget.NONE);
    Policy second = named("second", first);
    cluster = new SpaceUsage(810, 1_000, 0);
    RunLimits limits =
        new RunLimits(List.of(timed, first, second), new RememberedGates(catalog, rule -> cluster));

    for (int i = 0; i < 5; i++) {
      assertThat(isAdmitted(limits, timed, "/warehouse/f")).isTrue();
    }
    assertThat(isAdmitted(limits, first, "/warehouse/f")).isTrue();
    assertThat(admitted(limits, second)).as("until 810 - 15 n is below 700").isEqualTo(2);
    assertThat(admitted(limits, first)).isZero();
    assertThat(limits.isSpent(first)).isTrue();
    assertThat(isAdmitted(limits, timed, "/warehouse/f")).as("that goes by time").isTrue();
  }

  @Test
  void roomInADirectoryIsMadeByWhatIsInItAndByNothingElse() {
    Policy evicting =
        running(Optional.of(new CapacityRule(80, 70, Optional.of("/team"))), Budget.NONE);
    Policy timed = named("timed", ANY);
    cluster = new SpaceUsage(810, 1_000, 0);
    RunLimits limits =
        new RunLimits(List.of(evicting, timed), new RememberedGates(catalog, rule -> cluster));

    assertThat(admitted(limits, timed, "/teams/f")).isEqualTo(50);
    assertThat(limits.isSpent(evicting)).as("none of that was there").isFalse();
    assertThat(isAdmitted(limits, timed, "/team/f")).isTrue();
    assertThat(admitted(limits, evicting, "/team/f")).isEqualTo(7);
  }

  @Test
  void withoutLimitsEverythingIsLetThrough() {
    assertThat(admitted(limits(ANY), ANY)).isEqualTo(50);
  }

  @Test
  void aBudgetOfFilesOrBytesEndsARun() {
    Policy files = running(Optional.empty(), new Budget(OptionalLong.empty(), OptionalLong.of(7)));
    Policy bytes =
        running(Optional.empty(), new Budget(OptionalLong.of(350), OptionalLong.empty()));

    assertThat(admitted(limits(files), files)).isEqualTo(7);
    assertThat(admitted(limits(bytes), bytes)).isEqualTo(3);
    assertThat(admitted(limits(bytes), bytes)).as("the next run").isEqualTo(3);
  }

  @Test
  void roomIsMadeFromTheUpperMarkDownToTheLowerAndNotBetweenThem() {
    Policy evicting = running(Optional.of(new CapacityRule(80, 70, Optional.empty())), Budget.NONE);

    cluster = new SpaceUsage(790, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting)).as("not full enough").isZero();

    cluster = new SpaceUsage(810, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting))
        .as("until 810 - 15 n is below 700")
        .isEqualTo(8);

    cluster = new SpaceUsage(750, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting)).as("on its way down").isEqualTo(4);

    cluster = new SpaceUsage(690, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting)).as("low enough").isZero();

    cluster = new SpaceUsage(750, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting)).as("on its way up").isZero();
  }

  @Test
  void aSpaceThatNobodyKnowsAnythingOfClosesItsOwnPolicyOnly() {
    Policy evicting = running(Optional.of(new CapacityRule(80, 70, Optional.empty())), Budget.NONE);
    Policy other =
        new Policy(
            "other",
            ANY.paths(),
            List.of(),
            Duration.ZERO,
            Duration.ZERO,
            0,
            new Protection("rs-10-4", 1, 1),
            Optional.empty());
    RunLimits limits =
        new RunLimits(
            List.of(evicting, other),
            new RememberedGates(
                catalog,
                rule -> {
                  throw new IOException("NameNode is in safe mode");
                }));

    assertThat(limits.isSpent(evicting)).isTrue();
    assertThat(admitted(limits, evicting)).isZero();
    assertThat(admitted(limits, other)).isEqualTo(50);
  }

  @Test
  void aPolicyThatDoesNotRunRaidsNothing() {
    assertThat(
            admitted(new RunLimits(List.of(), new RememberedGates(catalog, rule -> cluster)), ANY))
        .isZero();
  }

  @Test
  void aRunIsSpentWhenNothingMoreFitsOrTooMuchDidNot() {
    Policy files = running(Optional.empty(), new Budget(OptionalLong.empty(), OptionalLong.of(7)));
    Policy bytes =
        running(Optional.empty(), new Budget(OptionalLong.of(350), OptionalLong.empty()));
    RunLimits seven = limits(files);
    assertThat(seven.isSpent(files)).isFalse();
    assertThat(admitted(seven, files)).isEqualTo(7);
    assertThat(seven.isSpent(files)).isTrue();

    RunLimits fiftyLeft = limits(bytes);
    assertThat(admitted(fiftyLeft, bytes)).isEqualTo(3);
    assertThat(fiftyLeft.isSpent(bytes)).as("a smaller one may fit").isFalse();
    for (int i = 0; i < 10_000; i++) {
      assertThat(isAdmitted(fiftyLeft, bytes, "/warehouse/f")).isFalse();
    }
    assertThat(fiftyLeft.isSpent(bytes)).isTrue();
  }

  @Test
  void thatRoomIsBeingMadeOutlivesARestart() {
    Policy evicting = running(Optional.of(new CapacityRule(80, 70, Optional.empty())), Budget.NONE);
    cluster = new SpaceUsage(810, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting)).isPositive();
    catalog.close();
    catalog = Catalog.open(folder, Clock.systemUTC());

    cluster = new SpaceUsage(750, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting)).isEqualTo(4);
  }
}
