package io.hdfsraid.policies;

import java.time.Instant;
import java.util.Optional;

/**
 * What a condition answers of a file.
 *
 * @param detail with the facts that it rests on
 * @param changesAt when it would answer otherwise by the mere passing of time
 */
public record Finding(Answer answer, Detail detail, Optional<Instant> changesAt) {
  /** The answers there are. */
  public enum Answer {
    YES,
    NO,
    /** The fact that it asks for is not known. */
    UNKNOWN
  }

  static Finding yes(Detail detail) {
    return new Finding(Answer.YES, detail, Optional.empty());
  }

  static Finding no(Detail detail) {
    return new Finding(Answer.NO, detail, Optional.empty());
  }

  static Finding unknown(Detail detail) {
    return new Finding(Answer.UNKNOWN, detail, Optional.empty());
  }

  static Finding of(boolean holds, Detail detail) {
    return holds ? yes(detail) : no(detail);
  }

  Finding until(Instant change) {
    return new Finding(answer, detail, Optional.of(change));
  }

  boolean is(Answer other) {
    return answer == other;
  }
}
