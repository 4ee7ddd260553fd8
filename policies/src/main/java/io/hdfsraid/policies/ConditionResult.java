// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Instant;
import java.util.Optional;

/**
 * The answer of one condition about one file.
 *
 * @param detail with the facts that it rests on
 * @param changesAt when it would answer otherwise by the mere passing of time
 */
public record ConditionResult(Answer answer, Detail detail, Optional<Instant> changesAt) {
  /** The answers there are. */
  public enum Answer {
    YES,
    NO,
    /** The fact that it asks for is not known. */
    UNKNOWN
  }

  static ConditionResult yes(Detail detail) {
    return new ConditionResult(Answer.YES, detail, Optional.empty());
  }

  static ConditionResult no(Detail detail) {
    return new ConditionResult(Answer.NO, detail, Optional.empty());
  }

  static ConditionResult unknown(Detail detail) {
    return new ConditionResult(Answer.UNKNOWN, detail, Optional.empty());
  }

  static ConditionResult of(boolean holds, Detail detail) {
    return holds ? yes(detail) : no(detail);
  }

  ConditionResult until(Instant change) {
    return new ConditionResult(answer, detail, Optional.of(change));
  }

  boolean is(Answer other) {
    return answer == other;
  }
}
