// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.raidnode.schedule.JobReport;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobsHealthTest {
  private static final String FAILING = "Job scan has failed 3 times in a row since noon: full";

  private boolean outage;

  private HealthCheck.Result check(Optional<String> failing, Optional<String> stall) {
    JobReport job =
        new JobReport(
            "scan",
            "0 0 2 * * ?",
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of("full"),
            failing,
            stall,
            Optional.empty());
    return new JobsHealth(() -> List.of(job), () -> outage).execute();
  }

  @Test
  void aJobThatHasJustFailedIsHealthy() {
    assertThat(check(Optional.empty(), Optional.empty()).isHealthy()).isTrue();
  }

  @Test
  void aJobThatFailsAgainAndAgainIsUnhealthyUnlessAnOutageExplainsIt() {
    HealthCheck.Result result = check(Optional.of(FAILING), Optional.empty());
    assertThat(result.isHealthy()).isFalse();
    assertThat(result.getMessage()).isEqualTo(FAILING + ". " + JobsHealth.AFTER_MANY_FAILURES);

    outage = true;
    assertThat(check(Optional.of(FAILING), Optional.empty()).isHealthy()).isTrue();
  }

  @Test
  void aJobThatDoesNotEndIsUnhealthyInAnOutageToo() {
    outage = true;
    assertThat(check(Optional.of(FAILING), Optional.of("Job scan has not ended")).getMessage())
        .isEqualTo("Job scan has not ended");
  }
}
