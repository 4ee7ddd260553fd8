package io.hdfsraid.policies;

import io.hdfsraid.policies.Finding.Answer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the conditions under {@code when} of a policy answer of a file that its paths match.
 *
 * @param findings in the order of the conditions
 */
record Hearing(Policy policy, List<Finding> findings) {
  static Hearing of(Policy policy, FileFacts file, Moment moment) {
    List<Condition> conditions = policy.when();
    if (conditions.isEmpty()) {
      return new Hearing(policy, List.of());
    }
    List<Finding> findings = new ArrayList<>(conditions.size());
    for (int i = 0; i < conditions.size(); i++) {
      findings.add(conditions.get(i).ask(file, moment));
    }
    return new Hearing(policy, findings);
  }

  /**
   * Whether the policy speaks about the file. What is not known counts against touching it: a
   * policy that leaves files takes it, others do not.
   */
  boolean speaks() {
    for (int i = 0; i < findings.size(); i++) {
      if (!holds(findings.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean holds(Finding finding) {
    return finding.is(Answer.YES)
        || (finding.is(Answer.UNKNOWN) && policy.action() instanceof Action.ToLeave);
  }

  /** The first condition that keeps the policy from speaking. */
  Optional<Finding> obstacle() {
    return findings.stream().filter(finding -> !holds(finding)).findFirst();
  }

  /** The policy would speak if it were known how the file was used, and nothing else is amiss. */
  boolean lacksOnlyHistory() {
    boolean lacks = false;
    for (int i = 0; i < findings.size(); i++) {
      if (!holds(findings.get(i))) {
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
    return findings.get(index).is(Answer.UNKNOWN)
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
    for (Finding finding : findings) {
      // What is not known and holds nevertheless still holds when it is known.
      if (finding.is(Answer.YES)) {
        first = earlier(first, finding.changesAt());
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
    for (int i = 0; i < findings.size(); i++) {
      Finding finding = findings.get(i);
      if (!holds(finding) && (onlyHistory || !lacksHistory(i))) {
        if (finding.changesAt().isEmpty()) {
          return Optional.empty();
        }
        last = finding.changesAt().get().isAfter(last) ? finding.changesAt().get() : last;
      }
    }
    for (Finding finding : findings) {
      if (finding.is(Answer.YES)
          && finding.changesAt().isPresent()
          && !finding.changesAt().get().isAfter(last)) {
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
