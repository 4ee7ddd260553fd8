// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * The rule by which a raided file that is read again gets its replicas back. Three conditions keep
 * a file from changing to and fro: several accesses are needed, it stays raided for a while at
 * least, and once it has its replicas back it keeps them for a while.
 *
 * @param accesses so many within {@code within}, counted since the file was raided
 * @param minResidence time that a file stays raided at least
 * @param coolDown time that a file which got its replicas back is not raided again
 */
public record ReheatRule(int accesses, Duration within, Duration minResidence, Duration coolDown) {
  public static final Duration DEFAULT_MIN_RESIDENCE = Duration.ofDays(7);
  public static final Duration DEFAULT_COOL_DOWN = Duration.ofDays(30);

  public ReheatRule {
    if (accesses < 1
        || within.isNegative()
        || within.isZero()
        || minResidence.isNegative()
        || coolDown.isNegative()) {
      throw new IllegalArgumentException(
          "accesses and within must be above 0, the others not negative, but it is %s within %s,"
                  .formatted(accesses, within)
              + " minResidence=%s, coolDown=%s".formatted(minResidence, coolDown));
    }
  }

  /**
   * The facts about a raided file.
   *
   * @param rate of accesses within the time of the rule, and since it was raided, earlier ones not
   *     counted, see {@link AccessSamples}; empty where nothing counts accesses
   * @param reheatedAt when it last got its replicas back, before it was raided this time
   */
  public record Residence(
      Instant raidedAt, Optional<AccessRate> rate, Optional<Instant> reheatedAt) {}

  /** The decision about a file. */
  public sealed interface Decision {
    /** For people. */
    Detail detail();

    /** It gets its replicas back. */
    record Reheat(Detail detail) implements Decision {}

    /**
     * It stays raided.
     *
     * @param mayChangeAt before then it stays however often it is read; empty: any access may
     *     change it
     */
    record Stay(Why why, Detail detail, Optional<Instant> mayChangeAt) implements Decision {}

    /** The reason why it stays raided. */
    enum Why {
      NOT_COUNTED,
      TOO_FEW_ACCESSES,
      RAIDED_LATELY,
      REHEATED_LATELY
    }
  }

  public Decision decide(Residence file, Instant now) {
    if (file.rate().isEmpty()) {
      return stay(
          Decision.Why.NOT_COUNTED,
          Detail.text("No source counts accesses: see the audit log of the NameNode."));
    }
    double count = counted(file, now).orElseThrow();
    Detail counted =
        Detail.of(
            "It was opened about %s times within %s, accesses is %s.",
            String.format(Locale.ROOT, "%.1f", count), within, accesses);
    if (count < accesses - 0.5) {
      return stay(Decision.Why.TOO_FEW_ACCESSES, counted);
    }
    Instant resident = residentUntil(file);
    if (resident.isAfter(now)) {
      return new Decision.Stay(
          Decision.Why.RAIDED_LATELY,
          Detail.of("It was raided at %s, minResidence is %s.", file.raidedAt(), minResidence),
          Optional.of(resident));
    }
    Optional<Instant> cool = coolUntil(file, now);
    return cool.isPresent()
        ? new Decision.Stay(
            Decision.Why.REHEATED_LATELY,
            Detail.of(
                "It was reheated at %s, coolDown is %s.",
                file.reheatedAt().orElseThrow(), coolDown),
            cool)
        : new Decision.Reheat(counted);
  }

  /** About how many accesses of it count now; empty where nothing counts them. */
  public Optional<Double> counted(Residence file, Instant now) {
    Instant from = now.minus(within);
    Instant counting = file.raidedAt().isAfter(from) ? file.raidedAt() : from;
    return file.rate().map(rate -> rate.within(within, now, counting));
  }

  /** It stays raided until then, however often it is read. */
  public Instant residentUntil(Residence file) {
    return file.raidedAt().plus(minResidence);
  }

  /** Returns until when the file must be cold if it was reheated not long ago. */
  public Optional<Instant> coolUntil(Residence file, Instant now) {
    return file.reheatedAt().map(at -> at.plus(coolDown)).filter(over -> over.isAfter(now));
  }

  private static Decision stay(Decision.Why why, Detail detail) {
    return new Decision.Stay(why, detail, Optional.empty());
  }
}
