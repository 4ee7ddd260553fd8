package io.hdfsraid.policies;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What had been counted of a file at a few moments, oldest first. A count that forgets slowly tells
 * the accesses of a day from those of a month only by what it was a day ago.
 */
public record AccessLooks(List<Look> looks) {
  /** How many looks there are in a window, at most: as a part of it, so exact is its beginning. */
  private static final int PARTS = 8;

  /** What had been counted at a moment. */
  public record Look(Instant at, AccessRate rate) {}

  public AccessLooks {
    looks = List.copyOf(looks);
    if (looks.isEmpty()) {
      throw new IllegalArgumentException("Without a first look nothing can be told");
    }
  }

  /** Nothing counts that was counted by now. */
  public static AccessLooks beginning(Instant now, AccessRate rate) {
    return new AccessLooks(List.of(new Look(now, rate)));
  }

  /** Remembers what is counted now, if it is something else and the last look is not too new. */
  public AccessLooks looked(AccessRate rate, Duration window, Instant now) {
    Look last = looks.get(looks.size() - 1);
    if (rate.equals(last.rate()) || last.at().plus(window.dividedBy(PARTS)).isAfter(now)) {
      return this;
    }
    List<Look> kept = new ArrayList<>(looks.subList(base(window, now), looks.size()));
    kept.add(new Look(now, rate));
    return new AccessLooks(kept);
  }

  /**
   * The accesses in a window before now, or since the first look if that is later; and, where they
   * were looked at as often as {@link #looked} allows, of an eighth of the window before.
   */
  public AccessRate recent(AccessRate rate, Duration window, Instant now) {
    return rate.since(looks.get(base(window, now)).rate());
  }

  /** The last look before the window. */
  private int base(Duration window, Instant now) {
    int base = 0;
    for (int i = 1; i < looks.size() && !looks.get(i).at().isAfter(now.minus(window)); i++) {
      base = i;
    }
    return base;
  }
}
