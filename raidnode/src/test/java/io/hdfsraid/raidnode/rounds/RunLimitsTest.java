package io.hdfsraid.raidnode.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.Budget;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.Runs;
import io.hdfsraid.policies.Saving;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.Fill;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.raidnode.catalog.Catalog;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
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
  private Fill cluster = new Fill(0, 1_000, 0);

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, Clock.systemUTC());
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private RunLimits limits(Policy policy) {
    return new RunLimits(
        new Policies(List.of(policy), List.of(), 0), new NotedGates(catalog, rule -> cluster));
  }

  private static Policy running(Optional<CapacityRule> capacity, Budget budget) {
    return ANY.running(
        new Runs(
            Optional.empty(),
            Runs.Misfire.SKIP,
            ZoneOffset.UTC,
            TimeWindows.NONE,
            capacity,
            budget));
  }

  /** How many files of 100 bytes are let through, of which each saves 15. */
  private static int admitted(RunLimits limits, Policy policy) {
    int admitted = 0;
    while (admitted < 50 && limits.admit(new Verdict.Raid(policy, new Saving(30, 15)), 100)) {
      admitted++;
    }
    return admitted;
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
    Policy evicting = running(Optional.of(CapacityRule.ofCluster(80, 70)), Budget.NONE);

    cluster = new Fill(790, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting)).as("not full enough").isZero();

    cluster = new Fill(810, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting))
        .as("until 810 - 15 n is below 700")
        .isEqualTo(8);

    cluster = new Fill(750, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting)).as("on its way down").isEqualTo(4);

    cluster = new Fill(690, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting)).as("low enough").isZero();

    cluster = new Fill(750, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting)).as("on its way up").isZero();
  }

  @Test
  void thatRoomIsBeingMadeOutlivesARestart() {
    Policy evicting = running(Optional.of(CapacityRule.ofCluster(80, 70)), Budget.NONE);
    cluster = new Fill(810, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting)).isPositive();
    catalog.close();
    catalog = Catalog.open(folder, Clock.systemUTC());

    cluster = new Fill(750, 1_000, 0);
    assertThat(admitted(limits(evicting), evicting)).isEqualTo(4);
  }
}
