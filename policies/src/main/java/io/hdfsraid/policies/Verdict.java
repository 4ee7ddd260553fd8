package io.hdfsraid.policies;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** What the policies decide about a file, with the reason. */
public sealed interface Verdict {
  /** What raiding would change on disks; empty when the file is to be left. */
  default Optional<Saving> worth() {
    if (this instanceof Raid raid) {
      return Optional.of(raid.saving());
    }
    return this instanceof RaidTogether together
        ? Optional.of(together.saving())
        : Optional.empty();
  }

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
   * The file is to be raided together with others of its directory, if there are enough: alone it
   * would not save enough.
   *
   * @param saving at best: with others of its length
   */
  record RaidTogether(Policy policy, Saving saving) implements Verdict {
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
      return "Raid together with others of its directory with %s at replication %d: at best %d bytes instead of %d on disk."
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
