// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.policies;

import io.hdfsraid.raidapi.Absent;
import java.util.List;

/**
 * The result of validating policies that are not in force.
 *
 * @param valid whether they could be put in force
 * @param policies number of policies; 0 if they are not valid
 * @param problems all mistakes
 * @param warnings settings that are allowed but probably not intended
 */
public record PoliciesValidation(
    boolean valid, int policies, List<Remark> problems, List<Remark> warnings) {

  /**
   * A remark about one key.
   *
   * @param key position in the text; empty for the text as a whole
   */
  public record Remark(String key, String message) {
    public Remark {
      key = Absent.toEmpty(key);
      message = Absent.toEmpty(message);
    }
  }

  public PoliciesValidation {
    problems = Absent.toEmpty(problems);
    warnings = Absent.toEmpty(warnings);
  }
}
