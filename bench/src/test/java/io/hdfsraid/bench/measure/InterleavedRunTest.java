// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.measure;

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
class InterleavedRunTest {
  private static final int SLICE = 100;

  private final List<String> slices = new ArrayList<>();
  private long now;
  private int warm;
  private int measured;

  private final InterleavedRun.Listener progress =
      new InterleavedRun.Listener() {
        @Override
        public void warm(int tasks) {
          warm += tasks;
        }

        @Override
        public void measured() {
          measured++;
        }
      };

  /** Takes so many nanoseconds for its n-th slice of runs. */
  private final class Worker implements Task {
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

  private Map<String, TaskSpeed> run(int rounds, InterleavedTasks... groups) {
    return new InterleavedRun(
            new InterleavedRun.Pace(rounds, SLICE, 0),
            new InterleavedRun.Clocks(() -> now, () -> now))
        .run(List.of(groups), progress);
  }

  @Test
  void ratesAreAmountsPerSecondOverWholeRuns() {
    // Two runs of 60 ns each are the first that fill 100 ns.
    Map<String, TaskSpeed> outcomes =
        run(5, new InterleavedTasks(Optional.empty(), List.of(new Worker("a", slice -> 60))));
    assertThat(outcomes).containsOnlyKeys("a");
    assertThat(outcomes.get("a").rate().median()).isEqualTo(2 * 7 / 120e-9);
    assertThat(outcomes.get("a").peer()).isEmpty();
  }

  @Test
  void tasksTakeTurnsInEachRoundAndTheirPeerGoesFirst() {
    Worker peer = new Worker("peer", slice -> SLICE);
    run(
        2,
        new InterleavedTasks(
            Optional.of(peer),
            List.of(new Worker("a", slice -> SLICE), new Worker("b", slice -> SLICE))),
        new InterleavedTasks(Optional.of(peer), List.of(new Worker("c", slice -> SLICE))));

    List<String> round = List.of("peer", "a", "b", "peer", "c");
    int checksAfter = 4;
    List<String> measurements =
        slices.subList(slices.size() - checksAfter - 2 * round.size(), slices.size() - checksAfter);
    assertThat(measurements)
        .isEqualTo(Collections.nCopies(2, round).stream().flatMap(List::stream).toList());
    assertThat(measured).isEqualTo(10);
    assertThat(warm).as("tasks, the peer counted once").isEqualTo(4);
  }

  @Test
  void aTaskIsComparedWithItsPeerInTheSameGroup() {
    // The peer slows down from slice to slice, and so from group to group.
    Worker peer = new Worker("peer", slice -> SLICE * (1 + slice));
    Map<String, TaskSpeed> outcomes =
        run(
            1,
            new InterleavedTasks(Optional.of(peer), List.of(new Worker("a", slice -> SLICE))),
            new InterleavedTasks(Optional.of(peer), List.of(new Worker("b", slice -> SLICE))));
    double besideA = outcomes.get("a").peer().orElseThrow().rate().median();
    double besideB = outcomes.get("b").peer().orElseThrow().rate().median();
    assertThat(besideA).isGreaterThan(besideB);
  }

  @Test
  void nobodyIsMeasuredWhileItIsStillGettingFaster() {
    // Compiled after 9 slices.
    Worker late = new Worker("late", slice -> slice < 9 ? 1000 - 100 * slice : SLICE);
    Worker ready = new Worker("ready", slice -> SLICE);
    Map<String, TaskSpeed> outcomes =
        run(3, new InterleavedTasks(Optional.empty(), List.of(late, ready)));
    assertThat(outcomes.get("late").rate().median())
        .isEqualTo(outcomes.get("ready").rate().median());
    assertThat(Collections.frequency(slices, "ready"))
        .as("who is ready does not wait for others by working on")
        .isLessThan(Collections.frequency(slices, "late"));
  }

  @Test
  void warmingUpEndsEvenIfSomebodyGetsFasterForEver() {
    Worker ever = new Worker("ever", slice -> Math.max(1, 1_000_000 >> slice));
    assertThat(run(1, new InterleavedTasks(Optional.empty(), List.of(ever)))).containsKey("ever");
  }

  @Test
  void aWrongResultIsFoundBeforeAnythingIsMeasured() {
    Worker wrong = new Worker("wrong", slice -> SLICE).wrongFromSlice(0);
    InterleavedTasks group =
        new InterleavedTasks(Optional.of(wrong), List.of(new Worker("a", slice -> SLICE)));
    assertThatThrownBy(() -> run(3, group))
        .isInstanceOf(WrongResultException.class)
        .hasMessage("wrong gave a wrong result: a byte is wrong");
    assertThat(measured).isZero();
  }

  @Test
  void aResultThatTurnsWrongWhileMeasuringIsFound() {
    // Three slices of warming up, one check, three rounds.
    Worker wrong = new Worker("wrong", slice -> SLICE).wrongFromSlice(4);
    InterleavedTasks group = new InterleavedTasks(Optional.empty(), List.of(wrong));
    assertThatThrownBy(() -> run(3, group)).isInstanceOf(WrongResultException.class);
    assertThat(measured).isEqualTo(3);
  }

  @Test
  void manyTasksRunInSeveralSmallGroupsWithTheSamePeer() {
    Worker peer = new Worker("peer", slice -> SLICE);
    List<Task> many =
        IntStream.range(0, 20).<Task>mapToObj(i -> new Worker("r" + i, slice -> SLICE)).toList();
    List<InterleavedTasks> groups = InterleavedTasks.of(Optional.of(peer), many);
    assertThat(groups).hasSize(3).allMatch(group -> group.peer().equals(Optional.of(peer)));
    assertThat(groups.stream().flatMap(group -> group.tasks().stream())).isEqualTo(many);
    assertThat(InterleavedRun.tasks(groups)).isEqualTo(21);
    assertThat(InterleavedRun.slices(groups)).isEqualTo(23);
  }
}
