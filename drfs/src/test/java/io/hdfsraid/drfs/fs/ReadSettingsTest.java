// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class ReadSettingsTest {
  private static final long MIB = 1 << 20;

  private static ReadSettings settings(String key, String value) {
    Configuration conf = new Configuration(false);
    conf.set(key, value);
    return ReadSettings.of(conf);
  }

  @Test
  void theDefaultsAreThoseOfTheManual() {
    ReadSettings settings = ReadSettings.of(new Configuration(false));
    assertThat(settings.deadline()).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.lostBlocks()).isEqualTo(256);
    assertThat(settings.memory())
        .isEqualTo(Math.min(256, Runtime.getRuntime().maxMemory() / MIB / 4) * MIB);
    assertThat(ReadRetryPolicy.of(new Configuration(false)).lost())
        .isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void anApplicationMaySetEachOfThem() {
    assertThat(settings("raid.read.deadline.ms", "2500").deadline())
        .isEqualTo(Duration.ofMillis(2_500));
    assertThat(settings("raid.read.lost.blocks", "7").lostBlocks()).isEqualTo(7);
    assertThat(settings("raid.read.memory.mb", "40").memory()).isEqualTo(40 * MIB);
    Configuration conf = new Configuration(false);
    conf.setInt("raid.read.retry.after.ms", 1_234);
    assertThat(ReadRetryPolicy.of(conf).lost()).isEqualTo(Duration.ofMillis(1_234));
  }

  @Test
  void whatMakesNoSenseIsTakenForTheLeast() {
    assertThat(settings("raid.read.deadline.ms", "-1").deadline()).isEqualTo(Duration.ofMillis(1));
    assertThat(settings("raid.read.lost.blocks", "-1").lostBlocks()).isZero();
    assertThat(settings("raid.read.memory.mb", "0").memory()).isEqualTo(MIB);
  }

  @Test
  void aReaderGetsAShareOfTheMemoryAtOnce() {
    assertThat(settings("raid.read.memory.mb", "128").largestWindow()).isEqualTo(2 * MIB);
    assertThat(settings("raid.read.memory.mb", "1000").largestWindow()).isEqualTo(4 * MIB);
    assertThat(settings("raid.read.memory.mb", "1").largestWindow()).isEqualTo(MIB / 64);
  }
}
