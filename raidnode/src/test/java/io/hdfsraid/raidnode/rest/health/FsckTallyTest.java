// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeJudge;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.health.FileHealth;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidnode.rest.ApiFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FsckTallyTest {
  private static final ErasureCodec RS = Codecs.parse("rs-3-2");

  private static HealthRecords.Subject file(long inode) {
    return new HealthRecords.Subject(inode, "/w/%05d".formatted(inode), "rs-3-2", 300);
  }

  private static StripeHealth stripe(long parityInode, int index, Integer... lost) {
    UnitSet gone = UnitSet.of(List.of(lost));
    List<StripeUnit> units = new ArrayList<>();
    for (int unit = 0; unit < RS.shape().units(); unit++) {
      Block block = new Block(100 + unit, 1, 100);
      units.add(
          new StripeUnit(
              unit,
              100,
              0,
              Optional.of(new LocatedBlock(block, List.of(), List.of())),
              gone.contains(unit) ? UnitState.LOST : UnitState.LIVE));
    }
    return StripeJudge.judge(
        new LocatedStripe(parityInode, index, RS, new RowLayout(1, 1 << 20), 100, units),
        List.of());
  }

  @Test
  void filesAndStripesAreCountedByStateAndByWhatTheyBear() {
    FsckTally tally = new FsckTally("/w", Paging.FIRST);
    tally.add(file(1), List.of(stripe(11, 0), stripe(11, 1)), false);
    tally.add(file(2), List.of(stripe(12, 0, 1), stripe(12, 1)), false);
    tally.add(file(3), List.of(stripe(13, 0, 1, 3), stripe(13, 1, 0)), false);
    tally.add(file(4), List.of(stripe(14, 0, 0, 1, 4)), false);
    tally.unknown(file(5), "no parity");

    FsckReport report = tally.report(Instant.EPOCH);

    assertThat(report.summary()).isEqualTo(new FsckReport.Summary(1, 2, 1, 1, 200));
    assertThat(report.byHealth())
        .containsExactly(
            new FsckReport.Health(HealthState.UNRECOVERABLE, -1, 1, 1, List.of("/w/00004")),
            new FsckReport.Health(HealthState.UNKNOWN, -1, 1, 0, List.of("/w/00005")),
            new FsckReport.Health(HealthState.DEGRADED, 0, 1, 1, List.of("/w/00003")),
            new FsckReport.Health(HealthState.DEGRADED, 1, 1, 2, List.of("/w/00002")),
            new FsckReport.Health(HealthState.HEALTHY, 2, 1, 3, List.of()));
    assertThat(report.files())
        .extracting(FileHealth::path)
        .containsExactly("/w/00004", "/w/00005", "/w/00003", "/w/00002");
    assertThat(report.next()).isEmpty();
  }

  @Test
  void aStripeThatFilesShareIsCountedOnce() {
    FsckTally tally = new FsckTally("/w", Paging.FIRST);
    tally.add(file(1), List.of(stripe(11, 0, 1)), true);
    tally.add(file(2), List.of(stripe(11, 0, 1)), true);

    assertThat(tally.report(Instant.EPOCH).byHealth())
        .containsExactly(
            new FsckReport.Health(HealthState.DEGRADED, 1, 2, 1, List.of("/w/00001", "/w/00002")));
  }

  @Test
  void ofManyOnlyThePageIsKeptAndPagesFollowOneAnother() {
    List<String> paths = new ArrayList<>();
    Optional<String> cursor = Optional.empty();
    do {
      FsckTally tally = new FsckTally("/w", new Paging(7, cursor));
      for (int i = 0; i < 100; i++) {
        tally.add(file(i * 37 % 100), List.of(stripe(i, 0, 1)), false);
      }
      FsckReport report = tally.report(Instant.EPOCH);
      assertThat(report.files()).hasSizeLessThanOrEqualTo(7);
      assertThat(report.byHealth().get(0).samples()).hasSize(5);
      report.files().forEach(each -> paths.add(each.path()));
      cursor = report.next();
    } while (cursor.isPresent());

    assertThat(paths).hasSize(100).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void ofAFileAmongManyTheWorstStripesAreShownAndAllOfOneAskedForAlone() {
    List<StripeHealth> stripes = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      stripes.add(i == 29 ? stripe(1, i, 0, 1, 2) : stripe(1, i, 1));
    }
    FsckTally many = new FsckTally("/w", Paging.FIRST);
    many.add(file(1), stripes, false);
    FsckTally one = new FsckTally("/w/00001", Paging.FIRST);
    one.add(file(1), stripes, false);

    List<io.hdfsraid.raidapi.health.StripeReport> shown =
        many.report(Instant.EPOCH).files().get(0).details();
    assertThat(shown).hasSize(10);
    assertThat(shown.get(0).stripe()).isEqualTo(29);
    assertThat(one.report(Instant.EPOCH).files().get(0).details()).hasSize(30);
  }

  @Test
  void aCursorOfSomethingElseIsRefused() {
    for (String cursor : List.of("7", "1:2", "a:b:/w")) {
      assertThatThrownBy(() -> new FsckTally("/w", new Paging(7, Optional.of(cursor))))
          .isInstanceOf(ApiFailure.class);
    }
  }
}
