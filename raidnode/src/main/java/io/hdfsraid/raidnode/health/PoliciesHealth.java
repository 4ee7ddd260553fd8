// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import com.codahale.metrics.health.HealthCheck;
import io.hdfsraid.policies.settings.SettingsProblem;
import io.hdfsraid.raidnode.config.PoliciesWatch;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Checks that the policies of the file are in force. */
public final class PoliciesHealth extends HealthCheck {
  private final Supplier<PoliciesWatch.State> file;

  public PoliciesHealth(Supplier<PoliciesWatch.State> file) {
    this.file = file;
  }

  @Override
  protected Result check() {
    return file.get().refusal().map(PoliciesHealth::refused).orElseGet(Result::healthy);
  }

  private static Result refused(PoliciesWatch.Refusal refusal) {
    return Result.unhealthy(
        "Refused since %s, the policies read before stay in force: %s"
            .formatted(
                refusal.since(),
                refusal.problems().stream()
                    .map(SettingsProblem::toString)
                    .collect(Collectors.joining("; "))));
  }
}
