// SPDX-License-Identifier: Apache-2.0
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

  /** Returns the use by the counts that are stored, and stores nothing. */
  public Residence of(FileRecord file, FileFacts facts, ReheatRule rule) {
    return new Residence(
        file.progress().since(),
        facts.further().accessRate().map(rate -> lately(file, rate, rule)),
        // A later reheat is an attempt that failed, or during which the process ended.
        facts.further().reheatedAt().filter(at -> at.isBefore(file.progress().since())));
  }

  /** Returns the use, and stores the accesses that were counted by now. */
  Residence look(FileRecord file, FileFacts facts, ReheatRule rule) {
    facts
        .further()
        .accessRate()
        .filter(rate -> rate.at().isAfter(file.progress().since()))
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
   * Returns the accesses since the file was raided. The stored rate decays slowly and still
   * contains accesses from before. If the rate was not stored when the file was raided, accesses
   * count from now on: too few counted accesses are better than a file that is raided and unraided
   * in turn.
   */
  private AccessRate lately(FileRecord file, AccessRate rate, ReheatRule rule) {
    Instant raided = file.progress().since();
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
