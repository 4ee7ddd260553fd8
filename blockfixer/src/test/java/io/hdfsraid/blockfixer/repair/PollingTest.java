// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PollingTest {
  @Test
  void pausesGrowUpToTheInterval() {
    Polling.Growing growing = new Polling.Growing(10, 100);

    assertThat(IntStream.rangeClosed(1, 6).mapToLong(growing::millis))
        .containsExactly(10L, 20L, 40L, 80L, 100L, 100L);
    assertThat(growing.millis(Integer.MAX_VALUE)).isEqualTo(100);
  }

  @Test
  void pausesThatGrowDoNotShortenTheWait() {
    Polling usual = Polling.every(Duration.ofSeconds(60), Duration.ofMillis(100));
    Polling backoff =
        Polling.withBackoff(Duration.ofMillis(10), Duration.ofSeconds(60), Duration.ofMillis(100));
    Polling.Growing growing = (Polling.Growing) backoff.delay();

    long waited = IntStream.range(1, backoff.attempts()).mapToLong(growing::millis).sum();

    assertThat(waited).isBetween((usual.attempts() - 1) * 100L, (usual.attempts() + 10) * 100L);
  }

  @Test
  void whatHappensBetweenIsToldHowOftenItLooked() throws IOException {
    List<Integer> pauses = new ArrayList<>();
    Polling polling =
        new Polling(
            4,
            new Polling.Delay() {
              @Override
              public void await() {
                throw new AssertionError("the number is known");
              }

              @Override
              public void await(int done) {
                pauses.add(done);
              }
            });

    assertThat(polling.until(() -> false)).isFalse();

    assertThat(pauses).containsExactly(1, 2, 3);
  }
}
