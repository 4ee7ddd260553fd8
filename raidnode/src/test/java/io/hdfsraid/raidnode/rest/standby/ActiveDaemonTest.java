// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.standby;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidapi.version.Build;
import io.hdfsraid.raidnode.hdfs.Ownership;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActiveDaemonTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final AtomicLong epoch = new AtomicLong(3);

  private DaemonReport report(Ownership.State state, String problem) {
    return new ActiveDaemon(
            "process 1 on here", NOW, epoch::get, () -> new Ownership(state, problem))
        .report();
  }

  /** The epoch grows while the daemon works if its root is deleted and made again. */
  @Test
  void itsEpochIsThatOfTheMoment() {
    assertThat(report(Ownership.State.HELD, ""))
        .isEqualTo(
            new DaemonReport(
                DaemonReport.Role.ACTIVE,
                Build.current().version(),
                "process 1 on here",
                NOW,
                Optional.of(3L),
                Optional.empty(),
                ""));
    epoch.set(4);
    assertThat(report(Ownership.State.HELD, "").epoch()).contains(4L);
  }

  @ParameterizedTest
  @CsvSource({
    "HELD,        ''",
    "WITHDRAWN,   ''",
    "UNCONFIRMED, It is so.",
    "ROOT_MOVED,  It is so.",
    "LOST,        It is so."
  })
  void anOwnershipThatIsNotHeldIsItsProblem(Ownership.State state, String problem) {
    assertThat(report(state, "It is so.").problem()).isEqualTo(problem);
  }
}
