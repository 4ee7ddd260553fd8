// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.measure.Task;
import io.hdfsraid.bench.measure.TaskSpeed;

/**
 * One row of a report. A field that does not apply is null, also in JSON.
 *
 * @param value the median over all rounds; null when there is nothing to measure here
 * @param unit of {@code value} and {@code peerValue}
 * @param peer the name of the peer
 * @param ratio the median of value / peerValue, taken round by round
 * @param low a quarter of all rounds had a lower ratio, or a lower value where there is no peer
 * @param high a quarter of all rounds had a higher one
 * @param goal the least or greatest ratio or value that is wanted
 * @param wanted which of them: {@link #AT_LEAST} or {@link #AT_MOST}
 * @param goalOf what is to reach it: {@link #RATIO} or {@link #VALUE}
 * @param met whether it was reached
 * @param note what else there is to say, e.g. why there is no value
 */
@JsonPropertyOrder({"name", "value", "unit", "peer", "peerValue", "ratio", "low", "high"})
public record Row(
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
    String goalOf,
    Boolean met,
    String note) {
  static final String AT_LEAST = "at least";
  static final String AT_MOST = "at most";
  static final String RATIO = "ratio";
  static final String VALUE = "value";

  private static final String ABSENT = "absent";

  /** What was measured, in the given unit, of which there are {@code perUnit} to one. */
  public static Row measured(String name, TaskSpeed outcome, Unit unit) {
    return outcome
        .peer()
        .map(peer -> beside(name, unit, outcome.rate(), peer.name(), peer.rate()))
        .orElseGet(() -> alone(name, unit, outcome.rate()));
  }

  public static Row alone(String name, Unit unit, Samples rate) {
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
        null,
        null);
  }

  public static Row beside(String name, Unit unit, Samples rate, String peer, Samples peerRate) {
    return beside(name, unit, rate, peer, peerRate, rate.ratioTo(peerRate));
  }

  /**
   * Returns a row beside a peer that did not run in the same rounds, so that only its median
   * counts.
   */
  public static Row besideMedian(
      String name, Unit unit, Samples rate, String peer, Samples peerRate) {
    return beside(name, unit, rate, peer, peerRate, rate.times(1 / peerRate.median()));
  }

  private static Row beside(
      String name, Unit unit, Samples rate, String peer, Samples peerRate, Samples ratio) {
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
        null,
        null);
  }

  /** Something that this machine does not have. */
  public static Row absent(String name, Unit unit, String reason) {
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
        null,
        ABSENT + ": " + reason);
  }

  /** Of the ratio where there is a peer. An absent row has nothing to reach. */
  public Row withGoal(double least) {
    return withGoal(least, AT_LEAST, usual());
  }

  /** Likewise, where less is better. */
  public Row withGoalAtMost(double most) {
    return withGoal(most, AT_MOST, usual());
  }

  /** Of the value, whatever the peer does. */
  public Row withGoalOfValue(double least) {
    return withGoal(least, AT_LEAST, VALUE);
  }

  /** Likewise, where less is better. */
  public Row withGoalOfValueAtMost(double most) {
    return withGoal(most, AT_MOST, VALUE);
  }

  private String usual() {
    return ratio == null ? VALUE : RATIO;
  }

  private Row withGoal(double number, String which, String of) {
    if (value == null) {
      return this;
    }
    double found = of.equals(RATIO) ? ratio : value;
    boolean reached = which.equals(AT_LEAST) ? found >= number : found <= number;
    return new Row(
        name, value, unit, peer, peerValue, ratio, low, high, number, which, of, reached, note);
  }

  public Row withNote(String text) {
    return new Row(
        name, value, unit, peer, peerValue, ratio, low, high, goal, wanted, goalOf, met, text);
  }

  @JsonIgnore
  public boolean isAbsent() {
    return value == null;
  }

  @JsonIgnore
  boolean isMissed() {
    return Boolean.FALSE.equals(met);
  }

  /**
   * What a value is counted in.
   *
   * @param size how many of what a {@link Task} counts make one
   */
  public record Unit(String symbol, double size) {}
}
