// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RaidingEffortTest {
  private final AtomicInteger percent = new AtomicInteger(100);
  private final RaidingEffort effort = new RaidingEffort(percent::set);

  @Test
  void theMostSparingOfTheRoundsUnderWayIsFollowed() {
    effort.begins("by day");
    effort.begins("at night");
    effort.wants("by day", 30);
    effort.wants("at night", 100);
    assertThat(percent).hasValue(30);

    effort.wants("by day", 50);
    assertThat(percent).hasValue(50);

    effort.ended("by day");
    assertThat(percent).hasValue(100);
  }

  @Test
  void afterTheLastRoundNothingIsBounded() {
    effort.begins("by day");
    effort.wants("by day", 30);

    effort.ended("by day");
    effort.wants("by day", 30);

    assertThat(percent).hasValue(100);
  }
}
