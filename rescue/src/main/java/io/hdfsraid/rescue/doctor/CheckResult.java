// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

/**
 * The result of one check.
 *
 * @param check the subject of the check
 * @param seen what was found and what it means
 * @param advice what to do; empty if there is nothing to do
 */
public record CheckResult(String check, Grade grade, String seen, String advice) {
  static CheckResult ok(String check, String seen) {
    return new CheckResult(check, Grade.OK, seen, "");
  }

  static CheckResult warn(String check, String seen, String advice) {
    return new CheckResult(check, Grade.WARN, seen, advice);
  }

  static CheckResult fail(String check, String seen, String advice) {
    return new CheckResult(check, Grade.FAIL, seen, advice);
  }

  static CheckResult unknown(String check, String because) {
    return new CheckResult(check, Grade.UNKNOWN, "unknown, because " + because, "");
  }
}
