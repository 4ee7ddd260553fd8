// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.raidnode.traffic.NameNodeCalls;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TuningControlTest {
  private static TuningControl control(Tuning.Repairs repairs) {
    return new TuningControl(
        tuning(repairs),
        ReaderLocation.ofThisMachine(Optional.empty(), List.of()),
        (purpose, direction, distance, bytes) -> {},
        new NameNodeCalls());
  }

  private static Tuning tuning(Tuning.Repairs repairs) {
    return Tuning.workers(1, 1, 1).in(new Tuning.Containers(false, repairs, 500, 0));
  }

  @Test
  void containersRepairAlwaysOrNeverOrInBulk() {
    try (TuningControl always = control(Tuning.Repairs.ALL);
        TuningControl never = control(Tuning.Repairs.NONE);
        TuningControl inBulk = control(Tuning.Repairs.IN_BULK)) {
      List.of(always, never, inBulk).forEach(each -> each.repairInBulk(true));
      assertThat(List.of(always, never, inBulk))
          .extracting(TuningControl::repairsInContainers)
          .containsExactly(true, false, true);
      List.of(always, never, inBulk).forEach(each -> each.repairInBulk(false));
      assertThat(List.of(always, never, inBulk))
          .extracting(TuningControl::repairsInContainers)
          .containsExactly(true, false, false);
      inBulk.repairInBulk(true);
      inBulk.apply(tuning(Tuning.Repairs.NONE));
      assertThat(inBulk.repairsInContainers()).isFalse();
      inBulk.apply(tuning(Tuning.Repairs.IN_BULK));
      assertThat(inBulk.repairsInContainers()).as("still bulk work").isTrue();
    }
  }
}
