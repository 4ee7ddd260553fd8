// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.raidnode.catalog.ScrubLedger.Backlog;
import io.hdfsraid.raidnode.catalog.ScrubLedger.Position;
import io.hdfsraid.raidnode.catalog.ScrubRecord.Progress;
import io.hdfsraid.recency.rocksdb.TableStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScrubLedgerTest {
  private static final Instant NOON = Instant.parse("2029-06-01T12:00:00Z");
  private static final ScrubDepth DEEP = ScrubDepth.DEEP;

  @TempDir Path folder;

  private static Instant hour(int hours) {
    return NOON.plus(Duration.ofHours(hours));
  }

  private static void done(ScrubLedger scrubs, long id, Instant when) {
    scrubs.update(id, known -> known.with(DEEP, Progress.NONE.finish(when, when)));
  }

  private static List<Long> due(ScrubLedger scrubs, Instant doneBefore, Instant now, int page) {
    List<Long> all = new ArrayList<>();
    Position from = Position.first(DEEP);
    while (true) {
      List<ScrubRecord> next = scrubs.due(from, doneBefore, now, page);
      if (next.isEmpty()) {
        return all;
      }
      next.forEach(record -> all.add(record.id()));
      from = new Position(DEEP, Optional.of(next.get(next.size() - 1)));
    }
  }

  @Test
  void whatIsHastenedComesNextUnlessItWasLookedAtOfLate() throws Exception {
    try (TableStore store = TableStore.open(folder, "catalog", Catalog.MEMORY, Tables.ALL)) {
      ScrubLedger scrubs = new ScrubLedger(store);
      for (long id = 1; id <= 4; id++) {
        scrubs.meet(id, hour(0));
      }
      done(scrubs, 1, hour(10));
      done(scrubs, 2, hour(20));
      done(scrubs, 3, hour(30));

      scrubs.hasten(3, DEEP, hour(30), hour(40));
      assertThat(due(scrubs, hour(25), hour(40), 100)).as("of late").containsExactly(4L, 1L, 2L);
      scrubs.update(4, known -> known.with(DEEP, Progress.NONE.postpone(hour(99))));
      scrubs.hasten(4, DEEP, hour(0), hour(40));
      assertThat(due(scrubs, hour(25), hour(40), 100)).as("not put off").startsWith(4L);
      scrubs.hasten(3, DEEP, hour(31), hour(40));
      scrubs.hasten(5, DEEP, hour(31), hour(40));

      assertThat(due(scrubs, hour(25), hour(40), 100)).containsExactly(5L, 3L, 4L, 1L, 2L);
      scrubs.hasten(4, DEEP, hour(31), hour(41));
      assertThat(due(scrubs, hour(25), hour(41), 100)).containsExactly(4L, 5L, 3L, 1L, 2L);
    }
  }

  @Test
  void whatWasNeverScrubbedComesFirstTheNewestBeforeTheOthersAndWhatWaitsIsPassedOver()
      throws Exception {
    try (TableStore store = TableStore.open(folder, "catalog", Catalog.MEMORY, Tables.ALL)) {
      ScrubLedger scrubs = new ScrubLedger(store);
      for (long id = 1; id <= 7; id++) {
        scrubs.meet(id, hour((int) id));
      }
      scrubs.meet(3, hour(0)); // known already
      done(scrubs, 1, hour(30));
      done(scrubs, 2, hour(20));
      done(scrubs, 6, hour(40));
      scrubs.update(5, known -> known.with(DEEP, Progress.NONE.postpone(hour(50))));
      scrubs.update(7, known -> known.with(DEEP, Progress.NONE.past(3, false, hour(33))));

      for (int page : new int[] {1, 2, 100}) {
        assertThat(due(scrubs, hour(35), hour(49), page)).containsExactly(7L, 4L, 3L, 2L, 1L);
      }
      assertThat(due(scrubs, hour(40), hour(50), 100)).containsExactly(7L, 5L, 4L, 3L, 2L, 1L, 6L);
      assertThat(scrubs.overdue(DEEP, hour(35), hour(49), 100))
          .extracting(ScrubRecord::id)
          .containsExactly(2L, 1L);
      assertThat(scrubs.overdue(DEEP, hour(40), hour(49), 2))
          .extracting(ScrubRecord::id)
          .containsExactly(2L, 1L);
      assertThat(scrubs.overdue(ScrubDepth.PRESENCE, hour(40), hour(49), 2)).isEmpty();
    }
    try (TableStore store = TableStore.open(folder, "catalog", Catalog.MEMORY, Tables.ALL)) {
      ScrubLedger scrubs = new ScrubLedger(store);
      assertThat(due(scrubs, hour(35), hour(49), 2))
          .as("after a restart")
          .containsExactly(7L, 4L, 3L, 2L, 1L);
      assertThat(scrubs.find(7).orElseThrow().deep().next()).isEqualTo(4);
      assertThat(scrubs.neverScrubbedSince(DEEP)).contains(hour(3));
      assertThat(scrubs.oldest(DEEP)).contains(hour(3));
      scrubs.update(2, known -> known.seen(99, 500, hour(2)));
      assertThat(scrubs.backlog(DEEP, hour(35), hour(49)))
          .as("2 has other parity now")
          .isEqualTo(new Backlog(5, 500));
      assertThat(due(scrubs, hour(35), hour(49), 100)).containsExactly(7L, 4L, 3L, 2L, 1L);
      done(scrubs, 1, hour(1_000)); // by a clock that was ahead then
      scrubs.update(3, known -> known.with(DEEP, known.deep().postpone(hour(1_000))));
      assertThat(due(scrubs, hour(35), hour(49), 100)).contains(1L, 3L);
      for (long id = 1; id <= 7; id++) {
        scrubs.remove(id);
      }
      assertThat(scrubs.oldest()).isEmpty();
      assertThat(due(scrubs, hour(99), hour(99), 100)).isEmpty();
    }
  }

  @Test
  void aLookWithGapsIsNotDone() {
    ScrubRecord met = ScrubRecord.discovered(1, NOON);

    Progress gaps =
        met.deep().past(0, true, hour(1)).past(1, false, hour(2)).finish(hour(3), hour(9));
    Progress whole =
        met.deep().past(0, false, hour(1)).past(1, false, hour(2)).finish(hour(3), hour(9));

    assertThat(gaps.done()).isEmpty();
    assertThat(gaps.retryAt()).contains(hour(9));
    assertThat(whole.done()).as("as old as its oldest stripe").contains(hour(1));
    assertThat(whole.retryAt()).isEmpty();
  }

  @Test
  void aLookWithGapsGoesOnWithTheirStripesAndWithTooManyItBeginsAgain() {
    Progress few = Progress.NONE;
    Progress many = Progress.NONE;
    for (int stripe = 0; stripe <= 3 * Progress.MOST_GAPS; stripe++) {
      few = few.past(stripe, stripe % 3 == 1, hour(1));
      many = many.past(stripe, stripe % 3 == 0, hour(1));
    }

    few = few.finish(hour(2), hour(9));
    assertThat(few.only()).hasSize(Progress.MOST_GAPS).startsWith(1, 4, 7);
    assertThat(few.wants(0)).isFalse();
    assertThat(few.wants(1)).isTrue();
    few = few.past(1, false, hour(10)).past(4, true, hour(10));
    assertThat(few.wants(4)).isFalse();
    assertThat(few.wants(7)).isTrue();
    few = few.finish(hour(11), hour(20));
    assertThat(few.only()).containsExactly(4);
    few = few.past(4, false, hour(21)).finish(hour(21), hour(30));
    assertThat(few).isEqualTo(Progress.NONE.finish(hour(1), hour(30)));

    many = many.finish(hour(2), hour(9));
    assertThat(many).isEqualTo(Progress.NONE.postpone(hour(9)));
    assertThat(many.wants(0)).isTrue();
  }

  @Test
  void rottenReplicasOfAStripeAreKeptOverARestartAndForgottenWithItsParity() throws Exception {
    ReplicaFault fault = new ReplicaFault(3, new Block(7, 8, 9), "node-1", NOON, "rotten");
    try (TableStore store = TableStore.open(folder, "catalog", Catalog.MEMORY, Tables.ALL)) {
      RottenReplicas rotten = new RottenReplicas(store);
      rotten.update(new StripeKey(5, 0), known -> List.of(fault));
      rotten.update(new StripeKey(5, 1), known -> List.of(fault));
      rotten.update(new StripeKey(6, 0), known -> List.of(fault));
      rotten.update(new StripeKey(6, 0), known -> List.of());
      rotten.update(new StripeKey(4, 9), known -> List.of(fault));
    }
    try (TableStore store = TableStore.open(folder, "catalog", Catalog.MEMORY, Tables.ALL)) {
      RottenReplicas rotten = new RottenReplicas(store);
      assertThat(rotten.of(new StripeKey(5, 1))).containsExactly(fault);
      assertThat(rotten.of(new StripeKey(6, 0))).isEmpty();
      rotten.forget(5);
      assertThat(rotten.of(new StripeKey(5, 0))).isEmpty();
      assertThat(rotten.of(new StripeKey(5, 1))).isEmpty();
      assertThat(rotten.of(new StripeKey(4, 9))).hasSize(1);
    }
  }
}
