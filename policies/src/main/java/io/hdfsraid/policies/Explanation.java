package io.hdfsraid.policies;

import java.util.List;

/**
 * A verdict with the way to it.
 *
 * @param asked each exclude list and policy in the order asked, up to the one that decided
 */
public record Explanation(Verdict verdict, List<Asked> asked) {
  public Explanation {
    asked = List.copyOf(asked);
  }

  /**
   * One list or policy that was asked.
   *
   * @param policy its name, or {@value Judge#EXCLUDES}
   * @param applies whether it speaks about the path
   * @param why which pattern matched, or that none did
   */
  public record Asked(String policy, boolean applies, String why) {}
}
