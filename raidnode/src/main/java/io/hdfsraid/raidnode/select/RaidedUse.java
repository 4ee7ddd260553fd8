package io.hdfsraid.raidnode.select;

import io.hdfsraid.policies.AccessRate;
import io.hdfsraid.policies.AccessSamples;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.ReheatRule;
import io.hdfsraid.policies.ReheatRule.Residence;
import io.hdfsraid.raidnode.catalog.EarlierUse;
import io.hdfsraid.raidnode.catalog.FileRecord;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;

/** The use of a raided file since it was raided, as reheat rules see it. */
public final class RaidedUse {
  private final EarlierUse earlier;
  private final Clock clock;

  public RaidedUse(EarlierUse earlier, Clock clock) {
    this.earlier = earlier;
    this.clock = clock;
  }

  /** By what is remembered; nothing is. */
  public Residence of(FileRecord file, FileFacts facts, ReheatRule rule) {
    return new Residence(
        file.standing().since(),
        facts.further().accessRate().map(rate -> lately(file, rate, rule)),
        // A later one is an attempt that came to nothing, or that the process did not outlive.
        facts.further().reheatedAt().filter(at -> at.isBefore(file.standing().since())));
  }

  /** The same, and remembers what had been counted by now. */
  Residence look(FileRecord file, FileFacts facts, ReheatRule rule) {
    facts
        .further()
        .accessRate()
        .filter(rate -> rate.at().isAfter(file.standing().since()))
        .ifPresent(
            rate -> {
              AccessSamples looks = looks(file, rate, rule);
              if (earlier.of(file.inode()).filter(looks::equals).isEmpty()) {
                earlier.put(file.inode(), looks);
              }
            });
    return of(file, facts, rule);
  }

  /**
   * Half-lives take long to forget, what happened before the file was raided, too. Where nobody
   * looked when it was, what is counted from now on counts: rather too few accesses than a file
   * that goes to and fro.
   */
  private AccessRate lately(FileRecord file, AccessRate rate, ReheatRule rule) {
    Instant raided = file.standing().since();
    return rate.at().isAfter(raided)
        ? looks(file, rate, rule).recent(rate, rule.within(), clock.instant())
        : AccessRate.none(raided, rate.halfLife());
  }

  private AccessSamples looks(FileRecord file, AccessRate rate, ReheatRule rule) {
    Instant now = clock.instant();
    Optional<AccessSamples> known = earlier.of(file.inode());
    return known
        .map(before -> before.sampled(rate, rule.within(), now))
        .orElseGet(() -> AccessSamples.beginning(now, rate));
  }
}
