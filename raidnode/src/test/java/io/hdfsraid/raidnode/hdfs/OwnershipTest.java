// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OwnershipTest {
  private static final String FILE = "/.raid/owner";

  @Test
  void anOwnershipIsHeldAsLongAsItsLeaseAndUnconfirmedAfterwards() {
    assertThat(Ownership.held().aged(Ownership.LEASE, FILE)).isEqualTo(Ownership.held());

    Ownership late = Ownership.held().aged(Ownership.LEASE.plusSeconds(15), FILE);
    assertThat(late.state()).isEqualTo(Ownership.State.UNCONFIRMED);
    assertThat(late.problem())
        .startsWith(
            "The NameNode has not confirmed for 75 s that this RaidNode holds /.raid/owner");
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HELD")
  void whatIsKnownOtherwiseStays(Ownership.State state) {
    Ownership known = new Ownership(state, "It is so.");
    assertThat(known.aged(Duration.ofDays(1), FILE)).isEqualTo(known);
  }
}
