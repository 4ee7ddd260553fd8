// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.policies.capacity.CapacityGate.State;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapacityGateTest {
  private static final CapacityRule RULE = new CapacityRule(80, 70, Optional.empty());
  private static final CapacityGate RESTING = CapacityGate.resumed(RULE, State.RESTING);

  private static SpaceUsage percent(int used) {
    return new SpaceUsage(used, 100, 0);
  }

  @Test
  void itBeginsAboveTheUpperMarkAndEndsBelowTheLowerOne() {
    CapacityGate gate = RESTING.look(percent(80));
    assertThat(gate.isOpen()).as("at the mark").isFalse();
    gate = gate.look(percent(81));
    assertThat(gate.isOpen()).isTrue();
    assertThat(gate.why()).startsWith("81.0 % of the cluster").contains("below 70 %");
    gate = gate.look(percent(75));
    assertThat(gate.isOpen()).as("between the marks it goes on").isTrue();
    gate = gate.look(percent(70));
    assertThat(gate.isOpen()).as("at the mark").isTrue();
    gate = gate.look(percent(69));
    assertThat(gate.isOpen()).isFalse();
    assertThat(gate.look(percent(79)).isOpen()).as("between the marks it rests").isFalse();
  }

  @Test
  void whatWasChosenAlreadyAndReplicasThatGoCountAsGone() {
    assertThat(RESTING.look(new SpaceUsage(90, 100, 15)).isOpen()).isFalse();
    CapacityGate open = RESTING.look(percent(90));
    assertThat(open.look(percent(90).choosing(21)).isOpen()).isFalse();
    assertThat(open.look(percent(90).choosing(20)).isOpen()).isTrue();
    assertThat(open.look(new SpaceUsage(10, 100, 50)).isOpen())
        .as("more leaves than is there")
        .isFalse();
  }

  @Test
  void aSpaceThatNobodyKnowsIsNotFull() {
    CapacityRule quota = new CapacityRule(80, 70, Optional.of("/user/a"));
    CapacityGate gate = CapacityGate.resumed(quota, State.EVICTING).look(new SpaceUsage(5, 0, 0));

    assertThat(gate.isOpen()).isFalse();
    assertThat(gate.why()).isEqualTo("Nobody knows how large the quota of /user/a is.");
  }

  /** Whatever the space does, the gate changes only at the marks, and always at them. */
  @Test
  void theGateIsOpenExactlySinceTheUpperMarkWasPassedLast() {
    Random random = new Random(4711);
    CapacityGate gate = RESTING;
    boolean expected = false;
    int used = 60;
    int changes = 0;
    for (int i = 0; i < 100_000; i++) {
      used = Math.max(0, Math.min(100, used + random.nextInt(9) - 4));
      boolean before = expected;
      if (used > 80) {
        expected = true;
      } else if (used < 70) {
        expected = false;
      }
      changes += before == expected ? 0 : 1;
      gate = gate.look(percent(used));
      assertThat(gate.isOpen()).as("step %d, %d %%", i, used).isEqualTo(expected);
    }
    assertThat(changes).isGreaterThan(100);
  }

  @ParameterizedTest
  @CsvSource({"70, 80", "80, 80", "101, 70", "80, 0"})
  void marksThatCannotBeAreRefused(int startAbove, int stopBelow) {
    assertThatThrownBy(() -> new CapacityRule(startAbove, stopBelow, Optional.empty()))
        .hasMessageContaining("stopBelow is " + stopBelow)
        .hasMessageContaining("startAbove is " + startAbove);
  }

  @Test
  void aDirectoryIsNamedByItsWholePath() {
    assertThatThrownBy(() -> new CapacityRule(80, 70, Optional.of("user")))
        .hasMessageContaining("'user'");
    assertThatThrownBy(() -> new SpaceUsage(1, 2, -1)).hasMessageContaining("leaving=-1");
  }
}
