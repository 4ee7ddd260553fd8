// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Samples of the access count of a file at a few times, oldest first. The count decays slowly, so
 * the accesses of the last day are the difference to the sample of a day ago.
 */
public record AccessSamples(List<Sample> samples) {
  /** The most samples of a window. Its beginning is known to one part of this many. */
  private static final int PARTS = 8;

  /** The count at one time. */
  public record Sample(Instant at, AccessRate rate) {}

  public AccessSamples {
    samples = List.copyOf(samples);
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("Access samples need a first sample, but there is none");
    }
  }

  /** The first sample. Accesses before it do not count as recent. */
  public static AccessSamples beginning(Instant now, AccessRate rate) {
    return new AccessSamples(List.of(new Sample(now, rate)));
  }

  /** Adds a sample, if the count has changed and the last sample is not too new. */
  public AccessSamples sampled(AccessRate rate, Duration window, Instant now) {
    Sample last = samples.get(samples.size() - 1);
    if (rate.equals(last.rate()) || last.at().plus(window.dividedBy(PARTS)).isAfter(now)) {
      return this;
    }
    List<Sample> kept = new ArrayList<>(samples.subList(base(window, now), samples.size()));
    kept.add(new Sample(now, rate));
    return new AccessSamples(kept);
  }

  /**
   * The accesses within a window before now, or since the first sample if that is later. If samples
   * were taken as often as {@link #sampled} allows, up to an eighth of the window before counts,
   * too.
   */
  public AccessRate recent(AccessRate rate, Duration window, Instant now) {
    return rate.since(samples.get(base(window, now)).rate());
  }

  /** The index of the last sample before the window. */
  private int base(Duration window, Instant now) {
    int base = 0;
    for (int i = 1; i < samples.size() && !samples.get(i).at().isAfter(now.minus(window)); i++) {
      base = i;
    }
    return base;
  }
}
