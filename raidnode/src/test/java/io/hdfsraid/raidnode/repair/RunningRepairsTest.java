// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.catalog.StripeKey;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RunningRepairsTest {
  private static final StripeKey ONE = new StripeKey(7, 0);
  private static final StripeKey OTHER = new StripeKey(7, 1);

  private final RunningRepairs running = new RunningRepairs();

  @Test
  void whoWorksOnTheStripeIsInterruptedAndItsNextStripeIsNot() {
    try (RunningRepairs.Run run = running.begin(ONE)) {
      running.cutOff(OTHER, Instant.EPOCH);
      assertThat(Thread.currentThread().isInterrupted()).isFalse();
      assertThat(run.left()).isEmpty();

      running.cutOff(ONE, Instant.EPOCH);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
      assertThat(run.left()).contains(Instant.EPOCH);
    }
    assertThat(Thread.currentThread().isInterrupted()).isFalse();

    running.cutOff(ONE, Instant.EPOCH);
    assertThat(Thread.currentThread().isInterrupted()).as("it has ended").isFalse();
  }
}
