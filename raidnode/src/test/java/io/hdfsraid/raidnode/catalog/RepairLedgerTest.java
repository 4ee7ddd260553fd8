// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.erasurecode.UnitSet;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepairLedgerTest {
  private static final Instant NOON = Instant.parse("2029-06-01T12:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOON, ZoneOffset.UTC);
  private static final List<RepairStatus> STATUSES = List.of(RepairStatus.values());
  private static final int ALL = Integer.MAX_VALUE;

  @TempDir Path folder;

  private Catalog catalog;
  private RepairLedger ledger;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, CLOCK);
    ledger = catalog.repairs();
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private static RepairState repair(int stripe, int furtherLosses, RepairStatus status) {
    return Samples.inState(
        status,
        new DegradedStripe(
            new StripeKey(100, stripe),
            7,
            "/data/a",
            "rs-6-3",
            UnitSet.of(1),
            furtherLosses,
            "NAMENODE",
            NOON.plusSeconds(stripe),
            0,
            0),
        "",
        NOON.plusSeconds(1_000L + stripe));
  }

  private static RepairState waiting(int stripe, int furtherLosses) {
    return repair(stripe, furtherLosses, RepairStatus.WAITING);
  }

  private List<Integer> takeAll() {
    List<Integer> taken = new ArrayList<>();
    for (Optional<RepairState.Running> next = ledger.take(ALL);
        next.isPresent();
        next = ledger.take(ALL)) {
      taken.add(next.get().stripe().index());
    }
    return taken;
  }

  @Test
  void theMostUrgentIsTakenFirstWhatBecameSoMeanwhileIncluded() {
    ledger.put(waiting(1, 2));
    ledger.put(waiting(2, 1));
    ledger.put(waiting(3, 1));
    assertThat(ledger.take(ALL)).map(RepairState::stripe).contains(new StripeKey(100, 2));

    ledger.update(new StripeKey(100, 1), known -> known.judged(UnitSet.of(1, 2), 0, Samples.NOW));
    ledger.put(waiting(0, 1));

    assertThat(takeAll()).containsExactly(1, 0, 3);
    assertThat(ledger.count(RepairStatus.RUNNING)).isEqualTo(4);
  }

  @Test
  void whatBearsMoreThanAskedForIsNotTaken() {
    ledger.put(waiting(1, 1));
    assertThat(ledger.take(0)).isEmpty();
    ledger.put(waiting(2, 0));
    ledger.put(waiting(3, -1));
    assertThat(ledger.take(0)).map(taken -> taken.stripe().index()).contains(2);
    assertThat(ledger.take(0)).map(taken -> taken.stripe().index()).contains(3);
    assertThat(ledger.take(0)).isEmpty();
  }

  @Test
  void whatHasLostTooMuchHoldsUpNobody() {
    ledger.put(waiting(1, -1));
    ledger.put(waiting(2, 0));
    ledger.put(waiting(3, 2));
    ledger.put(waiting(4, 0));

    assertThat(takeAll()).containsExactly(2, 4, 3, 1);
  }

  @Test
  void everyEighthTurnIsOfThoseThatHaveLostTooMuchAndTheyAreCountedAsSuchWhileTheyWait() {
    for (int stripe = 0; stripe < 20; stripe++) {
      ledger.put(waiting(stripe, 0));
    }
    ledger.put(waiting(50, -1));
    ledger.put(waiting(51, -1));
    ledger.put(waiting(52, -1));
    assertThat(ledger.count(RepairStatus.UNRECOVERABLE)).isEqualTo(3);
    assertThat(ledger.count(RepairStatus.WAITING)).isEqualTo(20);

    List<Integer> taken = takeAll();

    assertThat(taken.indexOf(50)).isEqualTo(7);
    assertThat(taken.indexOf(51)).isEqualTo(15);
    assertThat(taken.indexOf(52)).isEqualTo(22);
    assertThat(ledger.count(RepairStatus.UNRECOVERABLE)).isEqualTo(3);
  }

  @Test
  void onlyWhatWaitsIsTakenUnlessItIsNamed() {
    for (RepairStatus status : RepairStatus.values()) {
      ledger.put(repair(STATUSES.indexOf(status), 0, status));
    }
    assertThat(takeAll()).containsExactly(STATUSES.indexOf(RepairStatus.WAITING));
    StripeKey parked = new StripeKey(100, STATUSES.indexOf(RepairStatus.PARKED));
    assertThat(ledger.find(parked)).map(RepairState::status).contains(RepairStatus.PARKED);
    assertThat(ledger.take(parked)).map(RepairState::stripe).contains(parked);
    assertThat(ledger.take(parked)).as("it is running").isEmpty();
  }

  @Test
  void whatWasPostponedWaitsAgainWhenItsTimeHasComeAndNotBefore() {
    for (int stripe = 0; stripe < 5; stripe++) {
      ledger.put(repair(stripe, 0, RepairStatus.POSTPONED));
    }
    ledger.wake(NOON.plusSeconds(999));
    assertThat(takeAll()).isEmpty();
    ledger.wake(NOON.plusSeconds(1_002));
    assertThat(takeAll()).containsExactly(0, 1, 2);
    ledger.update(
        new StripeKey(100, 0),
        known -> ((RepairState.Running) known).postpone("again", NOON.plusSeconds(1)));
    ledger.wake(NOON.plusSeconds(1_003));
    assertThat(takeAll()).containsExactly(0, 3);
  }

  @Test
  void oneStatusIsWokenAsAWhole() {
    ledger.put(repair(1, -1, RepairStatus.UNRECOVERABLE));
    ledger.put(repair(2, 1, RepairStatus.PARKED));
    ledger.wake(RepairStatus.UNRECOVERABLE);
    assertThat(takeAll()).containsExactly(1);
  }

  @Test
  void whatRanWhenTheDaemonDiedWaitsAgain() {
    ledger.put(waiting(1, 0));
    ledger.put(repair(2, 1, RepairStatus.POSTPONED));
    assertThat(ledger.take(ALL)).isPresent();
    catalog.close();
    open();
    assertThat(ledger.count(RepairStatus.POSTPONED)).isEqualTo(1);
    assertThat(ledger.atRisk()).isEqualTo(1);
    assertThat(takeAll()).containsExactly(1);
  }

  @Test
  void nothingWaitsForATimeThatOnlyAWrongClockCanHaveSet() {
    Instant nextYear = NOON.plus(Duration.ofDays(365));
    ledger.put(postponed(1, 0, nextYear));
    ledger.put(postponed(2, 2, nextYear));
    ledger.put(postponed(3, 0, NOON.plus(Duration.ofMinutes(5))));
    ledger.put(postponed(4, 2, NOON.plus(Duration.ofHours(5))));
    ledger.put(waiting(5, 1).leave(nextYear).orElseThrow());
    catalog.close();
    open();
    assertThat(takeAll()).containsExactly(1, 2);

    ledger.wakePostponed();
    assertThat(takeAll()).as("what an operator left is left").containsExactly(3, 4);
  }

  private static RepairState postponed(int stripe, int furtherLosses, Instant until) {
    return ((RepairState.Running) repair(stripe, furtherLosses, RepairStatus.RUNNING))
        .postpone("NODES_FAILED", until);
  }

  @Test
  void theCountsAreThoseOfTheRecordsWhateverHappensToThem() {
    Random random = new Random(3);
    for (int step = 0; step < 2_000; step++) {
      int stripe = random.nextInt(20);
      RepairStatus status = STATUSES.get(random.nextInt(STATUSES.size()));
      switch (random.nextInt(4)) {
        case 0 -> ledger.remove(new StripeKey(100, stripe));
        case 1 -> ledger.take(random.nextInt(3) - 1);
        case 2 -> ledger.wake(NOON.plusSeconds(random.nextInt(2_000)));
        default -> ledger.put(repair(stripe, random.nextInt(4) - 1, status));
      }
      List<RepairState> all = ledger.list(Optional.empty(), 100);
      for (RepairStatus each : RepairStatus.values()) {
        assertThat(ledger.count(each))
            .as("%s after step %d", each, step)
            .isEqualTo(all.stream().filter(known -> known.shownStatus() == each).count());
      }
      assertThat(ledger.atRisk())
          .isEqualTo(all.stream().filter(known -> known.furtherLosses() <= 0).count());
      assertThat(ledger.mostUrgent(Optional.empty(), 100))
          .containsExactlyInAnyOrderElementsOf(all)
          .isSortedAccordingTo((a, b) -> Urgency.of(a).compareTo(Urgency.of(b)));
    }
  }

  @Test
  void theMostUrgentAreListedPageByPage() {
    for (int stripe = 0; stripe < 10; stripe++) {
      ledger.put(waiting(stripe, stripe % 2));
    }
    List<RepairState> first = ledger.mostUrgent(Optional.empty(), 6);
    List<RepairState> second = ledger.mostUrgent(Optional.of(Urgency.of(first.get(5))), 6);
    assertThat(first).extracting(known -> known.stripe().index()).containsExactly(0, 2, 4, 6, 8, 1);
    assertThat(second).extracting(known -> known.stripe().index()).containsExactly(3, 5, 7, 9);
  }

  /** By what the database steps over, not by time: a queue is where removed entries gather. */
  @Test
  void takingOneOfManyCostsTheSameHoweverManyThereAreAndWere() {
    int many = 100_000;
    for (int stripe = 0; stripe < many; stripe++) {
      ledger.put(waiting(stripe, 1));
    }
    long before = catalog.steps();
    for (int stripe = 0; stripe < many; stripe++) {
      StripeKey taken = ledger.take(ALL).orElseThrow().stripe();
      assertThat(taken.index()).isEqualTo(stripe);
      if (stripe % 1_000 == 0) {
        ledger.put(waiting(many + stripe, 0));
        assertThat(ledger.take(ALL).orElseThrow().stripe().index()).isEqualTo(many + stripe);
      }
      ledger.remove(taken);
    }
    assertThat(catalog.steps() - before).isLessThan(10L * many);
    assertThat(ledger.size()).isEqualTo(many / 1_000);
  }
}
