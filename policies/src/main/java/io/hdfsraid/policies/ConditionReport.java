// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import io.hdfsraid.policies.ConditionResult.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The results of all conditions under {@code when} of a policy for one file whose path matches.
 *
 * @param results in the order of the conditions
 */
record ConditionReport(Policy policy, List<ConditionResult> results) {
  static ConditionReport of(Policy policy, FileFacts file, EvaluationTime evaluation) {
    List<Condition> conditions = policy.when();
    if (conditions.isEmpty()) {
      return new ConditionReport(policy, List.of());
    }
    List<ConditionResult> results = new ArrayList<>(conditions.size());
    for (int i = 0; i < conditions.size(); i++) {
      results.add(conditions.get(i).ask(file, evaluation));
    }
    return new ConditionReport(policy, results);
  }

  /**
   * Whether the policy speaks about the file. What is not known counts against touching it: a
   * policy that leaves files takes it, others do not.
   */
  boolean speaks() {
    for (int i = 0; i < results.size(); i++) {
      if (!holds(results.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean holds(ConditionResult result) {
    return result.is(Answer.YES)
        || (result.is(Answer.UNKNOWN) && policy.action() instanceof Action.ToLeave);
  }

  /** The first condition that keeps the policy from speaking. */
  Optional<ConditionResult> obstacle() {
    return results.stream().filter(result -> !holds(result)).findFirst();
  }

  /** The policy would speak if it were known how the file was used, and nothing else is amiss. */
  boolean lacksOnlyHistory() {
    boolean lacks = false;
    for (int i = 0; i < results.size(); i++) {
      if (!holds(results.get(i))) {
        if (!lacksHistory(i)) {
          return false;
        }
        lacks = true;
      }
    }
    return lacks;
  }

  private boolean lacksHistory(int index) {
    Condition condition = policy.when().get(index);
    return results.get(index).is(Answer.UNKNOWN)
        && (condition instanceof Condition.ColdFor || condition instanceof Condition.Accesses);
  }

  /**
   * Until when surely neither {@link #speaks} nor {@link #lacksOnlyHistory} is otherwise, by the
   * mere passing of time.
   */
  Optional<Instant> changesAt() {
    return speaks() ? ends() : begins();
  }

  private Optional<Instant> ends() {
    Optional<Instant> first = Optional.empty();
    for (ConditionResult result : results) {
      // A condition that holds without the unknown facts also holds with them.
      if (result.is(Answer.YES)) {
        first = earlier(first, result.changesAt());
      }
    }
    return first;
  }

  /**
   * When the last obstacle goes, unless something that holds has ceased to by then. A missing
   * history is in the way only when nothing else is.
   */
  private Optional<Instant> begins() {
    boolean onlyHistory = lacksOnlyHistory();
    Instant last = Instant.MIN;
    for (int i = 0; i < results.size(); i++) {
      ConditionResult result = results.get(i);
      if (!holds(result) && (onlyHistory || !lacksHistory(i))) {
        if (result.changesAt().isEmpty()) {
          return Optional.empty();
        }
        last = result.changesAt().get().isAfter(last) ? result.changesAt().get() : last;
      }
    }
    for (ConditionResult result : results) {
      if (result.is(Answer.YES)
          && result.changesAt().isPresent()
          && !result.changesAt().get().isAfter(last)) {
        return Optional.empty();
      }
    }
    return Optional.of(last);
  }

  static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    return one.get().isAfter(other.get()) ? other : one;
  }
}
