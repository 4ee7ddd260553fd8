// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.policies;

import io.hdfsraid.policies.settings.SettingsProblem;
import io.hdfsraid.raidapi.policies.PoliciesValidation;
import io.hdfsraid.raidapi.policies.PoliciesValidation.Remark;
import io.hdfsraid.raidapi.policies.ValidatePoliciesRequest;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;

/** Validates policies by the same rules as those of the daemon. */
public class PoliciesValidator {
  private static final Path NAME = Path.of(SettingsFiles.POLICIES);

  private final Clock clock;
  private final ZoneId zone;

  /**
   * Creates a validator.
   *
   * @param zone time zone of policies that name none
   */
  public PoliciesValidator(Clock clock, ZoneId zone) {
    this.clock = clock;
    this.zone = zone;
  }

  public PoliciesValidation validate(ValidatePoliciesRequest request) {
    try {
      return fine(SettingsFiles.checkPolicies(NAME, request.yaml(), clock, zone));
    } catch (SettingsException e) {
      return refused(e);
    }
  }

  /** Returns the record for valid policies. */
  public static PoliciesValidation fine(SettingsFiles.CheckedPolicies read) {
    return new PoliciesValidation(
        true, read.policies().inOrder().size(), List.of(), remarks(read.warnings()));
  }

  /** Returns the record for invalid policies. */
  public static PoliciesValidation refused(SettingsException e) {
    return new PoliciesValidation(false, 0, remarks(e.problems()), List.of());
  }

  private static List<Remark> remarks(List<SettingsProblem> problems) {
    return problems.stream().map(problem -> new Remark(problem.key(), problem.sentence())).toList();
  }
}
