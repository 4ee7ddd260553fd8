package io.hdfsraid.offline.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * One line of a report. What does not apply is null, as in JSON.
 *
 * @param value the median over all rounds; null when there is nothing to measure here
 * @param unit of {@code value} and {@code peerValue}
 * @param peer what it ran beside
 * @param ratio the median of value / peerValue, taken round by round
 * @param low a quarter of all rounds had a lower ratio, or a lower value where there is no peer
 * @param high a quarter of all rounds had a higher one
 * @param goal the least or greatest ratio, or value where there is no peer, that is wanted
 * @param wanted which of them: {@link #AT_LEAST} or {@link #AT_MOST}
 * @param met whether it was reached
 * @param note what else there is to say, e.g. why there is no value
 */
@JsonPropertyOrder({"name", "value", "unit", "peer", "peerValue", "ratio", "low", "high"})
record Row(
    String name,
    Double value,
    String unit,
    String peer,
    Double peerValue,
    Double ratio,
    Double low,
    Double high,
    Double goal,
    String wanted,
    Boolean met,
    String note) {
  static final String AT_LEAST = "at least";
  static final String AT_MOST = "at most";

  private static final String ABSENT = "absent";

  /** What was measured, in the given unit, of which there are {@code perUnit} to one. */
  static Row measured(String name, Outcome outcome, Unit unit) {
    return outcome
        .peer()
        .map(peer -> beside(name, unit, outcome.rate(), peer.name(), peer.rate()))
        .orElseGet(() -> alone(name, unit, outcome.rate()));
  }

  static Row alone(String name, Unit unit, Samples rate) {
    Samples samples = rate.times(1 / unit.size());
    return new Row(
        name,
        samples.median(),
        unit.symbol(),
        null,
        null,
        null,
        samples.lowerQuartile(),
        samples.upperQuartile(),
        null,
        null,
        null,
        null);
  }

  static Row beside(String name, Unit unit, Samples rate, String peer, Samples peerRate) {
    Samples ratio = rate.ratioTo(peerRate);
    return new Row(
        name,
        rate.median() / unit.size(),
        unit.symbol(),
        peer,
        peerRate.median() / unit.size(),
        ratio.median(),
        ratio.lowerQuartile(),
        ratio.upperQuartile(),
        null,
        null,
        null,
        null);
  }

  /** Something that this machine does not have. */
  static Row absent(String name, Unit unit, String reason) {
    return new Row(
        name,
        null,
        unit.symbol(),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        ABSENT + ": " + reason);
  }

  /** An absent row has nothing to reach. */
  Row withGoal(double least) {
    return value == null ? this : withGoal(least, AT_LEAST, reached() >= least);
  }

  /** Likewise, where less is better. */
  Row withGoalAtMost(double most) {
    return value == null ? this : withGoal(most, AT_MOST, reached() <= most);
  }

  private Row withGoal(double number, String which, boolean reached) {
    return new Row(
        name, value, unit, peer, peerValue, ratio, low, high, number, which, reached, note);
  }

  /** What goals are about. */
  private double reached() {
    return ratio == null ? value : ratio;
  }

  Row withNote(String text) {
    return new Row(name, value, unit, peer, peerValue, ratio, low, high, goal, wanted, met, text);
  }

  @JsonIgnore
  boolean isAbsent() {
    return value == null;
  }

  @JsonIgnore
  boolean isMissed() {
    return Boolean.FALSE.equals(met);
  }

  /**
   * What a value is counted in.
   *
   * @param size how many of what a {@link Rival} counts make one
   */
  record Unit(String symbol, double size) {}
}
