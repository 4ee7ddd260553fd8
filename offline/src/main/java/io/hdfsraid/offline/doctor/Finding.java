package io.hdfsraid.offline.doctor;

/**
 * What a check found.
 *
 * @param check what was looked at
 * @param seen what is there, and what it means
 * @param advice what to do about it; empty when there is nothing to do
 */
public record Finding(String check, Grade grade, String seen, String advice) {
  static Finding ok(String check, String seen) {
    return new Finding(check, Grade.OK, seen, "");
  }

  static Finding warn(String check, String seen, String advice) {
    return new Finding(check, Grade.WARN, seen, advice);
  }

  static Finding fail(String check, String seen, String advice) {
    return new Finding(check, Grade.FAIL, seen, advice);
  }

  static Finding unknown(String check, String because) {
    return new Finding(check, Grade.UNKNOWN, "unknown, because " + because, "");
  }
}
