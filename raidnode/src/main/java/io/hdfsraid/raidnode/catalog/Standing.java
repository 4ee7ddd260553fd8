package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.Verdict;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.Optional;

/**
 * The state of a file, with all that explains it.
 *
 * @param reason why it is left, or why the last attempt came to nothing
 * @param detail the reason in this case, with its numbers; may be empty
 * @param by the policy that decided, or who asked by hand; may be empty
 * @param changesAt when the mere passing of time would change it
 */
public record Standing(
    FileStatus status,
    Optional<Reason> reason,
    String detail,
    String by,
    Instant since,
    Optional<Instant> changesAt) {
  public Standing {
    Objects.requireNonNull(status, "status");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(by, "by");
    since = since.truncatedTo(ChronoUnit.MILLIS);
    changesAt = changesAt.map(at -> at.truncatedTo(ChronoUnit.MILLIS));
  }

  public static Standing of(FileStatus status, String by, Instant since) {
    return new Standing(status, Optional.empty(), "", by, since, Optional.empty());
  }

  public static Standing left(Reason reason, String detail, String by, Instant since) {
    return new Standing(FileStatus.LEFT, Optional.of(reason), detail, by, since, Optional.empty());
  }

  /** What the policies decide about a file that has no parity. */
  public static Standing by(Verdict verdict, Instant since) {
    return new Standing(
        verdict.whyNot().isPresent() ? FileStatus.LEFT : FileStatus.CANDIDATE,
        verdict.whyNot(),
        verdict.sentence(),
        verdict.decidedBy().map(Policy::name).orElse(""),
        since,
        verdict.changesAt());
  }

  /** This one, with the other's beginning if the other says the same. */
  public Standing after(Standing before) {
    return status == before.status && reason.equals(before.reason)
        ? new Standing(status, reason, detail, by, before.since, changesAt)
        : this;
  }

  /** The same, which is not looked at before then. */
  public Standing until(Instant then) {
    return new Standing(status, reason, detail, by, since, Optional.of(then));
  }
}
