// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A verdict with all questions that led to it.
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
   * @param applies whether it speaks about the file
   * @param why which pattern matched, or what did not hold
   * @param conditions all that it asks for, where its paths match: first those that decide whether
   *     it speaks, then, if it does, those that decide whether the file is ready
   */
  public record Asked(String policy, boolean applies, String why, List<Answered> conditions) {
    public Asked {
      conditions = List.copyOf(conditions);
    }

    /** One with no conditions but paths, or whose paths do not match. */
    public Asked(String policy, boolean applies, String why) {
      this(policy, applies, why, List.of());
    }
  }

  /**
   * A condition that was asked.
   *
   * @param key that sets it: {@code when.owners}, {@code coldAfter}
   * @param wanted the value of the key
   * @param changesAt when it would answer otherwise by the mere passing of time
   */
  public record Answered(
      String key,
      String wanted,
      ConditionResult.Answer answer,
      String detail,
      Optional<Instant> changesAt) {
    static Answered of(String prefix, Condition condition, ConditionResult result) {
      return new Answered(
          prefix + condition.key(),
          condition.wanted(),
          result.answer(),
          result.detail().toString(),
          result.changesAt());
    }
  }
}
