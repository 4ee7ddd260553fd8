package io.hdfsraid.raidapi;

import java.util.List;

/**
 * What is to be said of policies that are not in force.
 *
 * @param valid whether they could be put in force
 * @param policies how many there are; 0 when they are not valid
 * @param problems all that is wrong
 * @param warnings what is allowed and probably not meant
 */
public record PoliciesCheck(
    boolean valid, int policies, List<Remark> problems, List<Remark> warnings) {

  /**
   * Something about one key.
   *
   * @param key where in the text; empty for the text as a whole
   */
  public record Remark(String key, String message) {
    public Remark {
      key = Absent.toEmpty(key);
      message = Absent.toEmpty(message);
    }
  }

  public PoliciesCheck {
    problems = Absent.toEmpty(problems);
    warnings = Absent.toEmpty(warnings);
  }
}
