package io.hdfsraid.offline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** On a clock that only work moves. */
class RaceTest {
  private static final int SLICE = 100;

  private final List<String> slices = new ArrayList<>();
  private long now;
  private int warm;
  private int measured;

  private final Race.Spectator spectator =
      new Race.Spectator() {
        @Override
        public void warm(int rivals) {
          warm += rivals;
        }

        @Override
        public void measured() {
          measured++;
        }
      };

  /** Takes so many nanoseconds for its n-th slice of runs. */
  private final class Worker implements Rival {
    private final String name;
    private final IntUnaryOperator nanosOfRun;
    private int slice = -1;
    private int wrongFrom = Integer.MAX_VALUE;

    Worker(String name, IntUnaryOperator nanosOfRun) {
      this.name = name;
      this.nanosOfRun = nanosOfRun;
    }

    Worker wrongFromSlice(int first) {
      wrongFrom = first;
      return this;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public double amount() {
      return 7;
    }

    @Override
    public void ready() {
      slice++;
      slices.add(name);
    }

    @Override
    public void run() {
      now += nanosOfRun.applyAsInt(slice);
    }

    @Override
    public Optional<String> fault() {
      return slice >= wrongFrom ? Optional.of("a byte is wrong") : Optional.empty();
    }
  }

  private Map<String, Outcome> race(int rounds, Heat... heats) {
    return new Race(new Race.Pace(rounds, SLICE, 0), new Race.Clocks(() -> now, () -> now))
        .run(List.of(heats), spectator);
  }

  @Test
  void ratesAreAmountsPerSecondOverWholeRuns() {
    // Two runs of 60 ns each are the first that fill 100 ns.
    Map<String, Outcome> outcomes =
        race(5, new Heat(Optional.empty(), List.of(new Worker("a", slice -> 60))));
    assertThat(outcomes).containsOnlyKeys("a");
    assertThat(outcomes.get("a").rate().median()).isEqualTo(2 * 7 / 120e-9);
    assertThat(outcomes.get("a").peer()).isEmpty();
  }

  @Test
  void rivalsTakeTurnsInEachRoundAndTheirPeerGoesFirst() {
    Worker peer = new Worker("peer", slice -> SLICE);
    race(
        2,
        new Heat(
            Optional.of(peer),
            List.of(new Worker("a", slice -> SLICE), new Worker("b", slice -> SLICE))),
        new Heat(Optional.of(peer), List.of(new Worker("c", slice -> SLICE))));

    List<String> round = List.of("peer", "a", "b", "peer", "c");
    int checksAfter = 4;
    List<String> measurements =
        slices.subList(slices.size() - checksAfter - 2 * round.size(), slices.size() - checksAfter);
    assertThat(measurements)
        .isEqualTo(Collections.nCopies(2, round).stream().flatMap(List::stream).toList());
    assertThat(measured).isEqualTo(10);
    assertThat(warm).as("rivals, the peer counted once").isEqualTo(4);
  }

  @Test
  void aRivalIsComparedWithItsPeerInTheSameHeat() {
    // The peer slows down from slice to slice, and so from heat to heat.
    Worker peer = new Worker("peer", slice -> SLICE * (1 + slice));
    Map<String, Outcome> outcomes =
        race(
            1,
            new Heat(Optional.of(peer), List.of(new Worker("a", slice -> SLICE))),
            new Heat(Optional.of(peer), List.of(new Worker("b", slice -> SLICE))));
    double besideA = outcomes.get("a").peer().orElseThrow().rate().median();
    double besideB = outcomes.get("b").peer().orElseThrow().rate().median();
    assertThat(besideA).isGreaterThan(besideB);
  }

  @Test
  void nobodyIsMeasuredWhileItIsStillGettingFaster() {
    // Compiled after 9 slices.
    Worker late = new Worker("late", slice -> slice < 9 ? 1000 - 100 * slice : SLICE);
    Worker ready = new Worker("ready", slice -> SLICE);
    Map<String, Outcome> outcomes = race(3, new Heat(Optional.empty(), List.of(late, ready)));
    assertThat(outcomes.get("late").rate().median())
        .isEqualTo(outcomes.get("ready").rate().median());
    assertThat(Collections.frequency(slices, "ready"))
        .as("who is ready does not wait for others by working on")
        .isLessThan(Collections.frequency(slices, "late"));
  }

  @Test
  void warmingUpEndsEvenIfSomebodyGetsFasterForEver() {
    Worker ever = new Worker("ever", slice -> Math.max(1, 1_000_000 >> slice));
    assertThat(race(1, new Heat(Optional.empty(), List.of(ever)))).containsKey("ever");
  }

  @Test
  void aWrongResultIsFoundBeforeAnythingIsMeasured() {
    Worker wrong = new Worker("wrong", slice -> SLICE).wrongFromSlice(0);
    Heat heat = new Heat(Optional.of(wrong), List.of(new Worker("a", slice -> SLICE)));
    assertThatThrownBy(() -> race(3, heat))
        .isInstanceOf(WrongResultException.class)
        .hasMessage("wrong gave a wrong result: a byte is wrong");
    assertThat(measured).isZero();
  }

  @Test
  void aResultThatTurnsWrongWhileMeasuringIsFound() {
    // Three slices of warming up, one check, three rounds.
    Worker wrong = new Worker("wrong", slice -> SLICE).wrongFromSlice(4);
    Heat heat = new Heat(Optional.empty(), List.of(wrong));
    assertThatThrownBy(() -> race(3, heat)).isInstanceOf(WrongResultException.class);
    assertThat(measured).isEqualTo(3);
  }

  @Test
  void manyRivalsRunInSeveralSmallHeatsWithTheSamePeer() {
    Worker peer = new Worker("peer", slice -> SLICE);
    List<Rival> many =
        IntStream.range(0, 20).<Rival>mapToObj(i -> new Worker("r" + i, slice -> SLICE)).toList();
    List<Heat> heats = Heat.of(Optional.of(peer), many);
    assertThat(heats).hasSize(3).allMatch(heat -> heat.peer().equals(Optional.of(peer)));
    assertThat(heats.stream().flatMap(heat -> heat.rivals().stream())).isEqualTo(many);
    assertThat(Race.rivals(heats)).isEqualTo(21);
    assertThat(Race.slices(heats)).isEqualTo(23);
  }
}
