// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.placement.MoveStep;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
  private final EventRecorder events = new EventRecorder();

  @Test
  void aMoveCountsOnceItsBytesWereSentAlsoIfTheNameNodeNoticesItLater() {
    events.reached(MoveStep.COPIED, "unit 0");
    events.reached(MoveStep.COPIED, "unit 1");
    events.reached(MoveStep.SETTLED, "unit 1");

    assertThat(events.unitsMoved()).isEqualTo(2);
  }
}
