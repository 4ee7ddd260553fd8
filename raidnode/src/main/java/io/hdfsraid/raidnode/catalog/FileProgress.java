// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Verdict;
import io.hdfsraid.raidapi.FileState;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/**
 * The state of a file and the explanation of the state.
 *
 * @param reason why the file is skipped, or why the last attempt failed
 * @param detail the reason for a person, with numbers; may be empty
 * @param by the policy that decided, or the operator who asked; may be empty
 * @param changesAt when the passing of time alone would change the state
 */
public record FileProgress(
    FileState state,
    Optional<Reason> reason,
    String detail,
    String by,
    Instant since,
    Optional<Instant> changesAt) {
  public FileProgress {
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(by, "by");
    since = since.truncatedTo(ChronoUnit.MILLIS);
    changesAt = changesAt.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
  }

  public static FileProgress of(FileState state, String by, Instant since) {
    return new FileProgress(state, Optional.empty(), "", by, since, Optional.empty());
  }

  public static FileProgress left(Reason reason, String detail, String by, Instant since) {
    return new FileProgress(
        FileState.LEFT, Optional.of(reason), detail, by, since, Optional.empty());
  }

  /** Returns the state that a verdict of the policies gives to a file without parity. */
  public static FileProgress by(Verdict verdict, Instant since) {
    return new FileProgress(
        verdict.whyNot().isPresent() ? FileState.LEFT : FileState.CANDIDATE,
        verdict.whyNot(),
        verdict.sentence(),
        verdict.decidedBy().map(Policy::name).orElse(""),
        since,
        verdict.changesAt());
  }

  /**
   * Returns this state, with the earlier beginning if the earlier state and reason are the same.
   */
  public FileProgress after(FileProgress before) {
    return state == before.state && reason.equals(before.reason)
        ? new FileProgress(state, reason, detail, by, before.since, changesAt)
        : this;
  }

  /** Returns this state with a time before which the file is not evaluated again. */
  public FileProgress until(Instant then) {
    return new FileProgress(state, reason, detail, by, since, Optional.of(then));
  }
}
