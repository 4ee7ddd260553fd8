// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.recency.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AwaitedReportsTest {
  private static final Instant START = Instant.parse("2029-06-01T00:00:00Z");
  private static final DataNode A = new DataNode("a", "10.0.0.1:9866", "node1", "/a");
  private static final DataNode B = new DataNode("b", "10.0.0.2:9866", "node2", "/b");
  private static final long FILE = 17;

  private final SettableClock time = new SettableClock(START);
  private final UnauditedStripes unaudited = new UnauditedStripes(10);
  private final AwaitedReports reports = new AwaitedReports(unaudited, time);

  private boolean seen(long id, DataNode node, int stale) {
    Block block = new Block(id, 1, 1);
    return reports.seen(
        id,
        List.of(new LocatedBlock(block, List.of(new Replica(node, "DISK", true)), List.of())),
        Map.of(id, new BlockHolders.Holder("/f", 3, 0, stale)));
  }

  private void raided(DataNode node, boolean awaitReports) {
    unaudited.found(FILE, 1);
    unaudited.seen(
        FILE, Optional.of(new ExcessReplicas(time.instant(), 1, 1, awaitReports, Set.of(node))));
  }

  private Optional<AwaitedReports.Wait> since(Instant since, DataNode... nodes) {
    return Optional.of(new AwaitedReports.Wait(since, Set.of(nodes)));
  }

  @Test
  void whatIsRaidedAndWhatIsLetGoWaitTogetherSinceTheFirst() {
    raided(A, true);
    time.pass(Duration.ofMinutes(1));
    assertThat(seen(18, B, 1)).isTrue();
    assertThat(reports.all()).isEqualTo(since(START, A, B));

    unaudited.audited(FILE);
    assertThat(reports.all()).isEqualTo(since(START.plusSeconds(60), B));
  }

  @Test
  void nothingWaitsIfTheNameNodeIsOnlySlow() {
    raided(A, false);
    assertThat(seen(18, B, 0)).isFalse();
    assertThat(reports.all()).isEmpty();
  }

  @Test
  void whatStillWaitsHasWaitedSinceItWasSeenFirst() {
    seen(18, A, 1);
    time.pass(Duration.ofMinutes(20));
    seen(18, B, 1);
    time.pass(Duration.ofMinutes(20));
    assertThat(reports.all()).isEqualTo(since(START, B));

    seen(18, B, 0);
    assertThat(reports.all()).isEmpty();
  }

  @Test
  void whatIsNotSeenAgainIsForgotten() {
    seen(18, A, 1);
    time.pass(Duration.ofMinutes(119));
    assertThat(reports.all()).isEqualTo(since(START, A));
    time.pass(Duration.ofMinutes(2));
    assertThat(reports.all()).isEmpty();
  }

  @Test
  void afterAClockWasSetBackNothingHasWaitedSinceTheFuture() {
    raided(A, true);
    seen(18, B, 1);
    time.pass(Duration.ofHours(-20));

    raided(A, true);
    seen(18, B, 1);

    assertThat(reports.all()).isEqualTo(since(time.instant(), A, B));
  }

  @Test
  void whatWaitsForAnythingElseWaitsForNoReports() {
    seen(18, A, 1);
    reports.none(18);
    assertThat(reports.all()).isEmpty();
  }

  @Test
  void aThousandAreRememberedAndTheOthersWhenTheseAreGone() {
    for (long id = 1; id <= 1_000; id++) {
      seen(id, A, 1);
    }
    seen(1_001, B, 1);
    assertThat(reports.all()).isEqualTo(since(START, A));
    seen(1, A, 0);
    seen(1_001, B, 1);
    assertThat(reports.all()).isEqualTo(since(START, A, B));
  }
}
