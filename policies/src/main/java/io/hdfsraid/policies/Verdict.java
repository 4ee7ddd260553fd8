package io.hdfsraid.policies;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** What the policies decide about a file, with the reason. */
public sealed interface Verdict {
  /** The policy that spoke; empty when none covers the path or none was asked. */
  Optional<Policy> decidedBy();

  /** Empty when the file is to be raided. */
  Optional<Reason> whyNot();

  /** For people: what is decided, with the numbers it rests on. */
  String sentence();

  /** When it would turn into another verdict by the mere passing of time. */
  Optional<Instant> changesAt();

  /** The file is to be raided as the policy says. */
  record Raid(Policy policy, Saving saving) implements Verdict {
    @Override
    public Optional<Policy> decidedBy() {
      return Optional.of(policy);
    }

    @Override
    public Optional<Reason> whyNot() {
      return Optional.empty();
    }

    @Override
    public String sentence() {
      return "Raid with %s at replication %d: %d bytes instead of %d on disk."
          .formatted(
              policy.protection().codec(),
              policy.protection().targetReplication(),
              saving.after(),
              saving.before());
    }

    @Override
    public Optional<Instant> changesAt() {
      return Optional.empty();
    }
  }

  /**
   * The file stays as it is.
   *
   * @param detail the reason in this case: numbers, times, patterns
   */
  record Leave(
      Reason reason, String detail, Optional<Policy> decidedBy, Optional<Instant> changesAt)
      implements Verdict {
    public Leave {
      Objects.requireNonNull(reason, "reason");
      Objects.requireNonNull(detail, "detail");
    }

    @Override
    public Optional<Reason> whyNot() {
      return Optional.of(reason);
    }

    @Override
    public String sentence() {
      return reason.sentence() + " " + detail;
    }
  }
}
