// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.raidapi.files.FileHistogram;
import io.hdfsraid.raidapi.files.FileHistogram.Amount;
import io.hdfsraid.raidapi.files.FileHistogram.Cell;
import io.hdfsraid.recency.namespace.FileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistogramCountTest {
  private static final Instant NOW = Instant.parse("2029-03-01T12:00:00Z");

  private final HistogramCount count = new HistogramCount(NOW);

  private static FileAttributes file(Duration age, long length, int replication) {
    long changed = NOW.minus(age).toEpochMilli();
    return new FileAttributes(
        length, 128 << 20, 1, replication, changed, changed, "etl", "users", 0, Set.of());
  }

  @ParameterizedTest
  @CsvSource({
    "PT-1S, <1d",
    "PT0S, <1d",
    "PT23H59M59.999S, <1d",
    "P1D, 1-7d",
    "PT167H59M59.999S, 1-7d",
    "P7D, 7-30d",
    "P30D, 30-90d",
    "P90D, 90-180d",
    "P180D, 180-365d",
    "PT8759H59M59.999S, 180-365d",
    "P365D, 1-2y",
    "P730D, 2-5y",
    "PT43799H59M59.999S, 2-5y",
    "P1825D, >5y",
    "P20000D, >5y"
  })
  void anAgeIsInTheRangeThatBeginsWithIt(Duration age, String range) {
    count.add(file(age, 1, 3));

    assertThat(count.histogram("/").cells())
        .containsExactly(new Cell(range, "<1MiB", 3, new Amount(1, 1, 3)));
  }

  @ParameterizedTest
  @CsvSource({
    "0, empty",
    "1, <1MiB",
    "1048575, <1MiB",
    "1048576, 1-16MiB",
    "16777216, 16-128MiB",
    "134217727, 16-128MiB",
    "134217728, 128MiB-1GiB",
    "1073741824, 1-10GiB",
    "10737418239, 1-10GiB",
    "10737418240, >10GiB",
    "9000000000000000, >10GiB"
  })
  void aSizeIsInTheRangeThatBeginsWithIt(long length, String range) {
    count.add(file(Duration.ZERO, length, 2));

    assertThat(count.histogram("/").cells())
        .containsExactly(new Cell("<1d", range, 2, new Amount(1, length, 2 * length)));
  }

  @Test
  void whatIsOlderThanABoundIsWhatAPolicyWithItLooksAt() {
    count.add(file(Duration.ofDays(6), 100, 3));
    count.add(file(Duration.ofDays(7), 10, 3));
    count.add(file(Duration.ofDays(7), 20, 1));
    count.add(file(Duration.ofDays(4_000), 5, 0));

    FileHistogram histogram = count.histogram("/a");

    assertThat(histogram.total()).isEqualTo(new Amount(4, 135, 350));
    assertThat(histogram.ages())
        .extracting(FileHistogram.Age::name)
        .containsExactly(
            "<1d", "1-7d", "7-30d", "30-90d", "90-180d", "180-365d", "1-2y", "2-5y", ">5y");
    assertThat(histogram.ages().get(2))
        .isEqualTo(
            new FileHistogram.Age(
                "7-30d", Duration.ofDays(7), new Amount(2, 30, 50), new Amount(3, 35, 50)));
    assertThat(histogram.ages().get(0).cumulative()).isEqualTo(histogram.total());
    assertThat(histogram.sizes())
        .filteredOn(size -> size.amount().files() > 0)
        .containsExactly(new FileHistogram.Size("<1MiB", 1, histogram.total()));
    assertThat(histogram.cells())
        .containsExactly(
            new Cell("1-7d", "<1MiB", 3, new Amount(1, 100, 300)),
            new Cell("7-30d", "<1MiB", 1, new Amount(1, 20, 20)),
            new Cell("7-30d", "<1MiB", 3, new Amount(1, 10, 30)),
            new Cell(">5y", "<1MiB", 0, new Amount(1, 5, 0)));
  }

  @Test
  void aReadCountsLikeAChangeAndShowsThatReadsAreRecorded() {
    count.add(file(Duration.ofDays(100), 1, 3));
    assertThat(count.histogram("/").accessTimes()).isFalse();

    long changed = NOW.minus(Duration.ofDays(100)).toEpochMilli();
    long read = NOW.minus(Duration.ofDays(2)).toEpochMilli();
    count.add(new FileAttributes(1, 1, 1, 3, changed, read, "etl", "users", 0, Set.of()));

    assertThat(count.histogram("/").accessTimes()).isTrue();
    assertThat(count.histogram("/").cells())
        .extracting(Cell::age)
        .containsExactly("1-7d", "90-180d");
  }

  @Test
  void noFilesAreAHistogramToo() {
    assertThat(count.histogram("/empty").total()).isEqualTo(Amount.NONE);
    assertThat(count.histogram("/empty").cells()).isEmpty();
    assertThat(count.histogram("/empty").ages()).hasSize(9);
    assertThat(count.histogram("/empty").sizes()).hasSize(7);
  }
}
