package io.hdfsraid.blockfixer.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PatienceTest {
  @Test
  void pausesGrowUpToTheInterval() {
    Patience.Growing growing = new Patience.Growing(10, 100);

    assertThat(IntStream.rangeClosed(1, 6).mapToLong(growing::pause))
        .containsExactly(10L, 20L, 40L, 80L, 100L, 100L);
    assertThat(growing.pause(Integer.MAX_VALUE)).isEqualTo(100);
  }

  @Test
  void pausesThatGrowDoNotShortenThePatience() {
    Patience usual = Patience.of(Duration.ofSeconds(60), Duration.ofMillis(100));
    Patience soon =
        Patience.soon(Duration.ofMillis(10), Duration.ofSeconds(60), Duration.ofMillis(100));
    Patience.Growing growing = (Patience.Growing) soon.between();

    long waited = IntStream.range(1, soon.looks()).mapToLong(growing::pause).sum();

    assertThat(waited).isBetween((usual.looks() - 1) * 100L, (usual.looks() + 10) * 100L);
  }

  @Test
  void whatHappensBetweenIsToldHowOftenItLooked() throws IOException {
    List<Integer> pauses = new ArrayList<>();
    Patience patience =
        new Patience(
            4,
            new Patience.Between() {
              @Override
              public void looks() {
                throw new AssertionError("the number is known");
              }

              @Override
              public void looks(int done) {
                pauses.add(done);
              }
            });

    assertThat(patience.until(() -> false)).isFalse();

    assertThat(pauses).containsExactly(1, 2, 3);
  }
}
