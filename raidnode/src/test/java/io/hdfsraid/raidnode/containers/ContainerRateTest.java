// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.containers.ContainerJobs.Kind;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ContainerRateTest {
  private final AtomicLong all = new AtomicLong(1_000);
  private final ContainerRate rate = new ContainerRate(all::get);

  @Test
  void containersOfBothKindsShareTheRate() {
    assertThat(rate.share(20)).as("before any runs").isEqualTo(50);
    rate.run(Kind.ENCODE, 3);
    rate.run(Kind.REPAIR, 5);
    assertThat(rate.share(20)).isEqualTo(125);
    rate.run(Kind.ENCODE, 0);
    assertThat(rate.share(20)).isEqualTo(200);
  }

  @Test
  void noLimitIsNotDividedAndNoShareIsNoLimit() {
    rate.run(Kind.ENCODE, 3_000);
    assertThat(rate.share(20)).as("less than a byte a second").isEqualTo(1);
    all.set(0);
    assertThat(rate.share(20)).isZero();
  }
}
