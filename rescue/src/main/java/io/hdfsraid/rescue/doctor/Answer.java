// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.doctor;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * The answer of a cluster to one question, or the reason why there is none.
 *
 * @param unknownBecause a clause; empty when there is a value
 */
record Answer<T>(Optional<T> value, String unknownBecause) {
  Answer {
    Objects.requireNonNull(unknownBecause, "unknownBecause");
    if (value.isPresent() != unknownBecause.isEmpty()) {
      throw new IllegalArgumentException(
          "Either a value or the reason for having none, not both: %s, '%s'"
              .formatted(value, unknownBecause));
    }
  }

  /** Asks something of a cluster. */
  interface Question<T> {
    T ask() throws IOException;
  }

  static <T> Answer<T> of(T value) {
    return new Answer<>(Optional.of(value), "");
  }

  static <T> Answer<T> unknown(String because) {
    return new Answer<>(Optional.empty(), because);
  }

  /** An unanswered question is an answer, too: whatever went wrong. */
  static <T> Answer<T> to(Question<T> question) {
    try {
      return of(question.ask());
    } catch (IOException | RuntimeException e) {
      return unknown(firstLine(e));
    }
  }

  /** Returns the first line of a message, because Hadoop appends stack traces to them. */
  static String firstLine(Throwable failure) {
    return String.valueOf(failure.getMessage())
        .lines()
        .findFirst()
        .filter(line -> !line.equals("null"))
        .orElse(failure.toString());
  }

  /** The finding about the value, or that it is not known. */
  CheckResult judged(String check, Function<T, CheckResult> judge) {
    return value.map(judge).orElseGet(() -> CheckResult.unknown(check, unknownBecause));
  }
}
