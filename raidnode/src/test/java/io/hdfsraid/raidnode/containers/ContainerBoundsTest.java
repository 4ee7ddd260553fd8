// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidnode.containers.ContainerJobs.Kind;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ContainerBoundsTest {
  private final AtomicLong all = new AtomicLong(1_000);
  private int streams = 4;
  private final ContainerBounds bounds = new ContainerBounds(all::get, () -> streams);

  @Test
  void containersOfBothKindsShareTheRate() {
    assertThat(bounds.share(20)).as("before any runs").isEqualTo(50);
    bounds.run(Kind.ENCODE, 3);
    bounds.run(Kind.REPAIR, 5);
    assertThat(bounds.share(20)).isEqualTo(125);
    bounds.run(Kind.ENCODE, 0);
    assertThat(bounds.share(20)).isEqualTo(200);
  }

  @Test
  void noLimitIsNotDividedAndNoShareIsNoLimit() {
    bounds.run(Kind.ENCODE, 3_000);
    assertThat(bounds.share(20)).as("less than a byte a second").isEqualTo(1);
    all.set(0);
    assertThat(bounds.share(20)).isZero();
  }

  /** 100 DataNodes with 4 streams each: 200 for each kind. */
  @Test
  void dataNodesHaveStreamsForAllContainersOfAKind() {
    assertThat(bounds.containers(20, 100, 14, 0)).isEqualTo(14);
    assertThat(bounds.containers(20, 100, 14, 10)).as("10 of another job").isEqualTo(4);
    assertThat(bounds.containers(20, 100, 14, 14)).as("each job has one").isEqualTo(1);
    assertThat(bounds.containers(9, 100, 14, 0)).as("as configured").isEqualTo(9);
    streams = 10_000;
    assertThat(bounds.containers(100_000, 10_000, 1, 0)).as("many").isEqualTo(100_000);
  }
}
