// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.raidshell.command.MomentConverter;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class MomentConverterTest {
  private final MomentConverter converter = new MomentConverter();

  @ParameterizedTest
  @CsvSource({
    "2026-11-25T16:20:11Z, 2026-11-25T16:20:11Z",
    "2026-11-25T16:20:11.5Z, 2026-11-25T16:20:11.500Z",
    "2026-11-25T16:20:11+02:00, 2026-11-25T14:20:11Z"
  })
  void aTimeIsItself(String text, Instant moment) {
    assertThat(converter.convert(text)).isEqualTo(moment);
  }

  @Test
  void aDurationIsCountedBackFromNow() {
    Instant before = Instant.now();
    Instant moment = converter.convert("2h");
    Duration age = Duration.ofHours(2);
    assertThat(moment).isBetween(before.minus(age), Instant.now().minus(age));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "2026-11-25", "2", "999999999999999999d"})
  void anythingElseIsNoMoment(String text) {
    assertThatThrownBy(() -> converter.convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("is neither a time such as 2026-11-25T16:20:11Z nor a duration");
  }
}
