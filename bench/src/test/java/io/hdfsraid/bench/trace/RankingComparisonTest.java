// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RankingComparisonTest {
  private static final List<Integer> SHARES = List.of(5, 20, 40);
  private static final Duration DAY = Duration.ofDays(1);

  private static Workload workload(int scanned, long seed) {
    return new Workload(1500, 3, 6, 6000, 0.9, 30, scanned, seed);
  }

  private static RankingComparison contest(Trace trace) {
    return new RankingComparison(trace, SHARES, List.of(DAY, Duration.ofDays(30)), Duration.ZERO);
  }

  private static RankingResult of(List<RankingResult> results, String candidate, int percent) {
    return results.stream()
        .filter(each -> each.candidate().equals(candidate) && each.percent() == percent)
        .findAny()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void whereFilesAreOfOneSizeNobodyMissesLessThanWhoKnowsTheFuture(long seed) {
    for (int scanned : new int[] {0, 80}) {
      RankingComparison contest = contest(Trace.of(workload(scanned, seed)).withEqualSizes());
      List<RankingResult> results = contest.run(uses -> {});
      assertThat(results).hasSize(3 * (scanned == 0 ? 6 : 7));
      for (int share = 0; share < SHARES.size(); share++) {
        int percent = SHARES.get(share);
        Tally best = of(results, RankingComparison.BELADY, percent).byAll();
        assertThat(best.misses()).isPositive();
        assertThat(contest.leastMissRatios().get(share))
            .as("%d %%, bound", percent)
            .isPositive()
            .isLessThanOrEqualTo(best.missRatio());
        for (RankingResult each : results) {
          if (each.percent() == percent && !each.candidate().equals(RankingComparison.BELADY)) {
            assertThat(each.byAll().misses())
                .as("%s @%d %%, job %d %%", each.candidate(), percent, scanned)
                .isGreaterThan(best.misses());
            assertThat(each.byAll().reads()).isEqualTo(best.reads());
          }
        }
      }
    }
  }

  @Test
  void whereSizesDifferNobodyIsBelowTheBound() {
    RankingComparison contest = contest(Trace.of(workload(80, 1)));
    List<RankingResult> results = contest.run(uses -> {});
    for (RankingResult each : results) {
      int share = SHARES.indexOf(each.percent());
      assertThat(each.byAll().missRatio())
          .as("%s @%d", each.candidate(), each.percent())
          .isGreaterThan(contest.leastMissRatios().get(share));
      assertThat(each.byAll().byteMissRatio())
          .as("%s @%d, bytes", each.candidate(), each.percent())
          .isGreaterThan(contest.leastByteMissRatios().get(share));
    }
    // Not a bound that is met by being far away: by bytes it is close to one that can be reached.
    double reached = of(results, RankingComparison.BELADY, 20).byAll().byteMissRatio();
    assertThat(contest.leastByteMissRatios().get(1))
        .isCloseTo(reached, Percentage.withPercentage(25));
  }

  @Test
  void theNightlyJobCostsUsersMoreWhereLastUseDecidesThanWhereBothDo() {
    List<RankingResult> quiet = contest(Trace.of(workload(0, 1))).run(uses -> {});
    List<RankingResult> nightly = contest(Trace.of(workload(80, 1))).run(uses -> {});
    for (int percent : SHARES) {
      double recency = cost(quiet, nightly, RankingComparison.RECENCY, percent);
      double mix = cost(quiet, nightly, RankingComparison.mix(DAY), percent);
      assertThat(recency).as("@%d", percent).isGreaterThan(1.2 * Math.max(0, mix)).isPositive();
    }
  }

  /** In points of the miss ratio. */
  private static double cost(
      List<RankingResult> quiet, List<RankingResult> nightly, String candidate, int percent) {
    return of(nightly, candidate, percent).byUsers().missRatio()
        - of(quiet, candidate, percent).byUsers().missRatio();
  }

  @Test
  void whoIsNotToldOfTheJobDoesForUsersAsIfThereWereNone() {
    List<RankingResult> quiet = contest(Trace.of(workload(0, 1))).run(uses -> {});
    List<RankingResult> nightly = contest(Trace.of(workload(80, 1))).run(uses -> {});
    for (int percent : SHARES) {
      assertThat(
              of(nightly, RankingComparison.RECENCY + RankingComparison.WITHOUT_JOB, percent)
                  .byUsers()
                  .misses())
          .isEqualTo(of(quiet, RankingComparison.RECENCY, percent).byUsers().misses());
    }
  }

  @Test
  void ofAccessTimesOnlyThoseAreKnownThatHdfsRecords() {
    LastUse recorded = new LastUse(1);
    RecordedUse known = new RecordedUse(recorded, 1, 1000);
    known.used(0, 5000, 0);
    known.used(0, 6000, 1);
    assertThat(known.of(0)).isEqualTo(5000);
    known.used(0, 6001, 2);
    assertThat(known.of(0)).isEqualTo(6001);
  }
}
