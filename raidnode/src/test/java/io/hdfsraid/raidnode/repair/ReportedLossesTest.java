// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReportedLossesTest {
  private static final long PARITY = 1_016_400;
  private static final long OTHER_PARITY = 1_016_500;
  private static final Map<String, Integer> ONE_EACH = Map.of("/a", 1, "/b", 1);

  private final ReportedLosses reported = new ReportedLosses();
  private Instant now = Instant.parse("2029-06-01T12:00:00Z");

  @BeforeEach
  void bothAreKnown() {
    read(ONE_EACH);
    reported.belongs("/a", PARITY);
    reported.belongs("/b", OTHER_PARITY);
  }

  private List<String> read(Map<String, Integer> listed) {
    reported.beginReading();
    return newsOf(listed);
  }

  private List<String> newsOf(Map<String, Integer> listed) {
    now = now.plusSeconds(15);
    return reported.news(listed, now);
  }

  @Test
  void asMuchAsBeforeIsNoNewsAndMoreIs() {
    assertThat(read(ONE_EACH)).isEmpty();
    assertThat(read(Map.of("/a", 2, "/b", 1))).containsExactly("/a");
  }

  @Test
  void whatWasRepairedMeanwhileIsNewsOnce() {
    reported.mended(PARITY);
    assertThat(read(ONE_EACH)).containsExactly("/a");
    reported.belongs("/a", PARITY);
    assertThat(read(ONE_EACH)).isEmpty();
  }

  @Test
  void whatIsRepairedWhileTheListIsReadMayBeOnItAndCountsAtTheNextReadingToo() {
    reported.beginReading();
    reported.mended(PARITY);
    assertThat(newsOf(ONE_EACH)).containsExactly("/a");
    reported.belongs("/a", PARITY);
    assertThat(read(ONE_EACH)).containsExactly("/a");
    reported.belongs("/a", PARITY);
    assertThat(read(ONE_EACH)).isEmpty();
  }

  @Test
  void whatIsRepairedAfterTheListWasReadIsNewsAtTheNextReading() {
    reported.beginReading();
    assertThat(newsOf(ONE_EACH)).isEmpty();
    reported.mended(OTHER_PARITY);
    assertThat(read(ONE_EACH)).containsExactly("/b");
  }

  @Test
  void soMuchIsRepairedThatNothingCountsAsKnown() {
    for (long id = 0; id <= 100_000; id++) {
      reported.mended(id);
    }
    reported.belongs("/a", PARITY);
    reported.forget("/b");
    assertThat(read(ONE_EACH)).containsExactlyInAnyOrder("/a", "/b");
  }

  @Test
  void everythingIsNewsNowAndThen() {
    now = now.plus(Duration.ofMinutes(10));
    assertThat(read(ONE_EACH)).containsExactlyInAnyOrder("/a", "/b");
  }
}
