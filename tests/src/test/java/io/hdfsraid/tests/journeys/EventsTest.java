// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What users do to a file while the daemon is at work on it and afterwards, on a real HDFS. Each
 * action at the step where it is most dangerous, and each step with the action that is most
 * dangerous there; {@link ClusterEventsTest} has what happens to the whole cluster, {@link
 * EveryEventAtEveryStepTest} all of them with each other.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventsTest {
  private EventBench bench;
  private List<EventCase> cases;

  /** All steps, and afterwards. */
  static List<Enum<?>> moments() {
    List<Enum<?>> moments = new ArrayList<>();
    moments.addAll(List.of(RaidStep.values()));
    moments.addAll(List.of(MoveStep.values()));
    moments.addAll(List.of(UnraidStep.values()));
    moments.addAll(List.of(EventCase.Moment.values()));
    return moments;
  }

  /** A case of the table: something that happens at a step. */
  record Event(UserAction action, Enum<?> when) {}

  /**
   * Content that changes is worst between the last look and the reduction; what makes the NameNode
   * name another file, right after the point of no return; what keeps replicas from being made,
   * while they are wanted back.
   */
  Set<Event> events() {
    Set<Event> events = atTheirWorst(UserAction.toFiles());
    for (Enum<?> step : moments()) {
      events.add(
          new Event(
              step instanceof UnraidStep
                  ? UserAction.REPLICATION_DOWN
                  : UserAction.TRUNCATE_AND_APPEND_TO_THE_SAME_LENGTH,
              step));
    }
    return events;
  }

  static Set<Event> atTheirWorst(List<UserAction> actions) {
    Set<Event> events = new LinkedHashSet<>();
    for (UserAction action : actions) {
      Enum<?> worst =
          switch (action) {
            case SPACE_QUOTA_TOO_SMALL, STORAGE_POLICY, REPLICATION_DOWN -> UnraidStep.MARKED;
            case APPEND_HSYNC_AND_STAY_OPEN, TRUNCATE_UNDER_A_SNAPSHOT, CONCAT_WITH_IT_AS_SOURCE ->
                EventCase.Moment.AFTER_EVERYTHING;
            case DELETE_AND_CREATE_ANEW_UNDER_A_SNAPSHOT,
                OVERWRITE_WITH_THE_SAME_LENGTH_AND_TIMES,
                REPLICATION_UP ->
                RaidStep.REDUCED;
            default -> RaidStep.COMMITTED;
          };
      events.add(new Event(action, worst));
    }
    return events;
  }

  @BeforeAll
  void letThemHappen() throws IOException {
    bench = new EventBench();
    cases =
        events().stream()
            .map(event -> new EventCase(bench.journey, event.action(), event.when()))
            .toList();
    bench.run(cases);
  }

  @AfterAll
  void stop() {
    bench.close();
  }

  Stream<EventCase> cases() {
    return cases.stream();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void whateverHappensTheFileIsReadableProtectedAndRaidedAgain(EventCase event) {
    assertThat(event.failure()).as("%s", event).isEmpty();
  }
}
