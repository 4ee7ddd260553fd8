// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** The decision of the policies about a file, with the reason. */
public sealed interface Verdict {
  /** What raiding would change on disks; empty when the file is to be left. */
  default Optional<Saving> worth() {
    return this instanceof ToRaid wanted ? Optional.of(wanted.saving()) : Optional.empty();
  }

  /** The policy that spoke; empty when none covers the path or none was asked. */
  Optional<Policy> decidedBy();

  /** Empty when the file is to be raided, and only then. */
  Optional<Reason> whyNot();

  /** For people: what is decided, with the numbers it rests on. */
  String sentence();

  /** When it would turn into another verdict by the mere passing of time. */
  Optional<Instant> changesAt();

  /** The file is to be raided, alone or with others. */
  sealed interface ToRaid extends Verdict {
    /** The policy that spoke. */
    Policy policy();

    Saving saving();

    @Override
    default Optional<Policy> decidedBy() {
      return Optional.of(policy());
    }

    @Override
    default Optional<Reason> whyNot() {
      return Optional.empty();
    }

    @Override
    default Optional<Instant> changesAt() {
      return Optional.empty();
    }

    /**
     * The numbers that the verdict rests on.
     *
     * @param howSure said before them; empty where they are
     */
    default String numbers(String howSure) {
      return "with %s at replication %d: %s%d bytes instead of %d on disk."
          .formatted(
              policy().protection().codec(),
              policy().protection().targetReplication(),
              howSure,
              saving().after(),
              saving().before());
    }
  }

  /** The file is to be raided as the policy says. */
  record Raid(Policy policy, Saving saving) implements ToRaid {
    @Override
    public String sentence() {
      return "Raid " + numbers("");
    }
  }

  /**
   * The file is to be raided together with others of its directory, if there are enough: alone it
   * would not save enough.
   *
   * @param saving at best: with others of its length
   */
  record RaidTogether(Policy policy, Saving saving) implements ToRaid {
    @Override
    public String sentence() {
      return "Raid together with others of its directory " + numbers("at best ");
    }
  }

  /** The file, which is raided, is to get its replicas back and lose its parity. */
  record Unraid(Policy policy, Optional<Instant> changesAt) implements Verdict {
    @Override
    public Optional<Policy> decidedBy() {
      return Optional.of(policy);
    }

    @Override
    public Optional<Reason> whyNot() {
      return Optional.of(Reason.UNRAIDED_BY_POLICY);
    }

    @Override
    public String sentence() {
      return Reason.UNRAIDED_BY_POLICY.sentence() + " It is policy " + policy.name() + ".";
    }
  }

  /**
   * The file stays as it is.
   *
   * @param detail the reason in this case: numbers, times, patterns
   */
  record Leave(
      Reason reason, Detail detail, Optional<Policy> decidedBy, Optional<Instant> changesAt)
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
