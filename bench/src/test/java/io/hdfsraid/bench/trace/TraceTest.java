// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TraceTest {
  private static final Workload WORKLOAD = new Workload(500, 2, 3, 4000, 0.9, 30, 80, 7);

  private static List<String> uses(Trace trace, Use... kinds) {
    List<String> uses = new ArrayList<>();
    for (Day day : trace.days()) {
      for (int i = 0; i < day.size(); i++) {
        if (List.of(kinds).contains(day.use(i))) {
          uses.add(
              "%s %d at %d of %d"
                  .formatted(day.use(i), day.file(i), day.at(i), trace.size(day.file(i))));
        }
      }
    }
    return uses;
  }

  /** Which files, since times move where two are at the same millisecond. */
  private static List<Integer> read(Trace trace) {
    List<Integer> files = new ArrayList<>();
    for (Day day : trace.days()) {
      for (int i = 0; i < day.size(); i++) {
        if (day.use(i) == Use.READ) {
          files.add(day.file(i));
        }
      }
    }
    return files;
  }

  @Test
  void oneSeedIsOneTrace() {
    Workload other = new Workload(500, 2, 3, 4000, 0.9, 30, 80, 8);
    List<String> uses = uses(Trace.of(WORKLOAD), Use.values());
    assertThat(uses)
        .isEqualTo(uses(Trace.of(WORKLOAD), Use.values()))
        .isNotEqualTo(uses(Trace.of(other), Use.values()));
  }

  @Test
  void usersDoTheSameWhetherThereIsANightlyJobOrNot() {
    assertThat(read(Trace.of(WORKLOAD)))
        .hasSize(5 * 4000)
        .isEqualTo(read(Trace.of(WORKLOAD.quiet())));
    assertThat(uses(Trace.of(WORKLOAD.quiet()), Use.SCANNED)).isEmpty();
  }

  @Test
  void timeGoesOnWithEachUse() {
    Trace trace = Trace.of(WORKLOAD);
    long last = Long.MIN_VALUE;
    for (int number = 0; number < 5; number++) {
      Day day = trace.days().get(number);
      for (int i = 0; i < day.size(); i++) {
        assertThat(day.at(i))
            .as("use %d of day %d", i, number)
            .isGreaterThan(last)
            .isBetween(Workload.startOf(number, 0), Workload.startOf(number + 1, 0) - 1);
        last = day.at(i);
      }
    }
  }

  @Test
  void eachFileIsWrittenOnceAndNotReadBefore() {
    Trace trace = Trace.of(WORKLOAD);
    int written = WORKLOAD.files();
    for (Day day : trace.days()) {
      for (int i = 0; i < day.size(); i++) {
        if (day.use(i) == Use.WRITTEN) {
          assertThat(day.file(i)).isEqualTo(written++);
          assertThat(day.at(i))
              .isBetween(trace.written(day.file(i)), trace.written(day.file(i)) + 9);
        } else {
          assertThat(day.file(i)).isLessThan(written);
        }
      }
    }
    assertThat(written).isEqualTo(525).isEqualTo(trace.files());
  }

  @Test
  void theJobReadsTheSameFilesInOrderEveryNightAndEachOnce() {
    Trace trace = Trace.of(WORKLOAD);
    List<List<Integer>> nights = new ArrayList<>();
    for (int number = 0; number < 5; number++) {
      Day day = trace.days().get(number);
      int[] scanned =
          IntStream.range(0, day.size()).filter(i -> day.use(i) == Use.SCANNED).toArray();
      assertThat(day.at(scanned[0])).isGreaterThanOrEqualTo(Workload.startOf(number, 1));
      assertThat(day.at(scanned[scanned.length - 1])).isLessThan(Workload.startOf(number, 5));
      nights.add(IntStream.of(scanned).map(day::file).boxed().toList());
    }
    assertThat(nights)
        .allSatisfy(
            night -> {
              assertThat(night).isSorted().doesNotHaveDuplicates();
              assertThat(night.subList(0, nights.get(0).size())).isEqualTo(nights.get(0));
            });
    assertThat(nights.get(0).size()).isBetween(360, 440);
  }

  @Test
  void moreIsReadAroundTwoInTheAfternoon() {
    Day day = Trace.of(WORKLOAD.quiet()).days().get(1);
    long[] byHour = new long[24];
    for (int i = 0; i < day.size(); i++) {
      byHour[(int) ((day.at(i) - Workload.startOf(1, 0)) / Workload.HOUR_MILLIS)]++;
    }
    assertThat(byHour[13] + byHour[14]).isBetween(510L, 540L);
    assertThat(byHour[1] + byHour[2]).isBetween(130L, 145L);
  }

  @Test
  void whatCannotBeMadeIsRefusedWithWhatWasGiven() {
    assertThatThrownBy(() -> new Workload(0, 2, 3, 4000, 0.9, 30, 80, 7))
        .hasMessageContaining("1 to 10000000 files")
        .hasMessageContaining("but got 0 and 4000");
    assertThatThrownBy(() -> new Workload(1, 2, 0, 4000, 0.9, 30, 80, 7))
        .hasMessageContaining("but got 0 after 2");
    assertThatThrownBy(() -> new Workload(1, 2, 3, 4000, Double.NaN, 30, 101, 7))
        .hasMessageContaining("but got NaN, 30 and 101");
  }
}
