// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.UnitSet;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RepairStateTest {
  private static final Instant NOON = Instant.parse("2029-06-01T12:00:00Z");
  private static final Instant LATER = NOON.plusSeconds(60);

  private static RepairState state(RepairStatus status) {
    return Samples.inState(
        status,
        new DegradedStripe(
            new StripeKey(100, 1),
            7,
            "/a",
            "rs-6-3",
            UnitSet.of(1),
            2,
            "NAMENODE",
            NOON.plusNanos(1),
            0,
            0),
        "disk full",
        LATER.plusNanos(1));
  }

  @ParameterizedTest
  @EnumSource
  void everyStateReturnsFromItsBytes(RepairStatus status) {
    RepairState state = state(status);

    assertThat(state.status()).isEqualTo(status);
    assertThat(Tables.REPAIR.decode().apply(Tables.REPAIR.encode().apply(state))).isEqualTo(state);
  }

  @ParameterizedTest
  @EnumSource
  void aNewerJudgementChangesTheLossesAndNothingElse(RepairStatus status) {
    RepairState judged = state(status).judged(UnitSet.of(1, 2), 1, LATER);

    assertThat(judged.lost()).isEqualTo(UnitSet.of(1, 2));
    assertThat(judged.furtherLosses()).isEqualTo(1);
    assertThat(judged.judged(UnitSet.of(1), 2, LATER)).isEqualTo(state(status));
  }

  /**
   * The alert on stripes at risk counts from when they came to be so, not from their first loss.
   */
  @ParameterizedTest
  @EnumSource
  void dangerBeginsWhenNoFurtherLossIsTolerated(RepairStatus status) {
    Instant evenLater = LATER.plusSeconds(60);
    RepairState atRisk = state(status).judged(UnitSet.of(1, 2, 3), 0, LATER);

    assertThat(state(status).damage().inDangerSince()).isEqualTo(NOON);
    assertThat(atRisk.damage().inDangerSince()).isEqualTo(LATER);
    assertThat(atRisk.since()).isEqualTo(NOON);
    assertThat(Urgency.of(atRisk).since()).isEqualTo(LATER);
    RepairState worse = atRisk.judged(UnitSet.of(1, 2, 3, 4), -1, evenLater);
    assertThat(worse.damage().inDangerSince()).as("it still is").isEqualTo(LATER);
    RepairState better = worse.judged(UnitSet.of(1), 2, evenLater);
    assertThat(better).isEqualTo(state(status));
    assertThat(Tables.REPAIR.decode().apply(Tables.REPAIR.encode().apply(atRisk)))
        .isEqualTo(atRisk);
  }

  @ParameterizedTest
  @EnumSource
  void whatNobodyTriesIsNotHiddenBehindAPause(RepairStatus status) {
    Optional<RepairState.Postponed> left = state(status).leave(LATER);

    boolean tried = status != RepairStatus.PARKED && status != RepairStatus.UNRECOVERABLE;
    assertThat(left.isPresent()).isEqualTo(tried);
    left.ifPresent(
        postponed -> {
          assertThat(postponed.isLeftByOperator()).isTrue();
          assertThat(postponed.wakeAt()).contains(LATER);
        });
  }

  @ParameterizedTest
  @EnumSource
  void whoeverTriesAgainKnowsWhyItFailedBefore(RepairStatus status) {
    if (state(status) instanceof RepairState.Idle idle) {
      assertThat(idle.wake().reason()).isEqualTo("disk full");
      assertThat(idle.start().release()).isEqualTo(idle.wake());
    } else {
      assertThat(state(status).afterRestart().reason()).isEqualTo("disk full");
    }
  }

  @Test
  void onlyWhatIsRunningChangesItsStateWhenTheDaemonStartsAgain() {
    for (RepairStatus status : RepairStatus.values()) {
      assertThat(state(status).afterRestart().status())
          .isEqualTo(status == RepairStatus.RUNNING ? RepairStatus.WAITING : status);
    }
  }
}
