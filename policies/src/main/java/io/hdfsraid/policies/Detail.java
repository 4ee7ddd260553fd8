// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies;

import java.time.Duration;
import java.util.List;

/**
 * Text whose values are formatted only when it is read, because an evaluation makes millions of
 * details that are never read.
 *
 * @param format as {@link String#format} takes it
 * @param values a duration is shown in the form of the settings, such as {@code 30 d}
 */
public record Detail(String format, List<Object> values) {
  static final Detail NONE = new Detail("", List.of());

  static Detail text(String text) {
    return of("%s", text);
  }

  static Detail of(String format, Object value) {
    return new Detail(format, List.of(value));
  }

  static Detail of(String format, Object first, Object second) {
    return new Detail(format, List.of(first, second));
  }

  static Detail of(String format, Object first, Object second, Object third) {
    return new Detail(format, List.of(first, second, third));
  }

  @Override
  public String toString() {
    return format.formatted(
        values.stream()
            .map(value -> value instanceof Duration time ? Quantities.show(time) : value)
            .toArray());
  }
}
