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
 * @param reason why it is left, or why the last attempt came to nothing
 * @param detail the reason in this case, with its numbers; may be empty
 * @param by the policy that decided, or who asked by hand; may be empty
 * @param changesAt when the mere passing of time would change it
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

  /** What the policies decide about a file that has no parity. */
  public static FileProgress by(Verdict verdict, Instant since) {
    return new FileProgress(
        verdict.whyNot().isPresent() ? FileState.LEFT : FileState.CANDIDATE,
        verdict.whyNot(),
        verdict.sentence(),
        verdict.decidedBy().map(Policy::name).orElse(""),
        since,
        verdict.changesAt());
  }

  /** This one, with the other's beginning if the other says the same. */
  public FileProgress after(FileProgress before) {
    return state == before.state && reason.equals(before.reason)
        ? new FileProgress(state, reason, detail, by, before.since, changesAt)
        : this;
  }

  /** The same, which is not looked at before then. */
  public FileProgress until(Instant then) {
    return new FileProgress(state, reason, detail, by, since, Optional.of(then));
  }
}
