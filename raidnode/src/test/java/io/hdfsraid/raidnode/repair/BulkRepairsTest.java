// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BulkRepairsTest {
  private final AtomicLong stripes = new AtomicLong();
  private final AtomicInteger from = new AtomicInteger(100);
  private final AtomicBoolean bulk = new AtomicBoolean();
  private final BulkRepairs repairs = new BulkRepairs(stripes::get, from::get, bulk::set);

  private boolean bulkAt(long wait) {
    stripes.set(wait);
    repairs.look();
    return bulk.get();
  }

  @Test
  void bulkWorkBeginsAtTheNumberAndEndsAtAQuarterOfIt() {
    assertThat(bulkAt(99)).isFalse();
    assertThat(bulkAt(100)).isTrue();
    assertThat(bulkAt(26)).isTrue();
    assertThat(bulkAt(25)).isFalse();
    assertThat(bulkAt(99)).isFalse();
  }

  @Test
  void theNumberMayChangeMeanwhile() {
    assertThat(bulkAt(50)).isFalse();
    from.set(50);
    assertThat(bulkAt(50)).isTrue();
    from.set(1_000);
    assertThat(bulkAt(250)).isFalse();
  }
}
