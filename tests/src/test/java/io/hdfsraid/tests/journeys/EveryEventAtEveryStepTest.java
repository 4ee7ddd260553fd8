package io.hdfsraid.tests.journeys;

import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;

/** The cross product of {@link EventsTest}: every action at every step and afterwards. */
@Tag("full")
class EveryEventAtEveryStepTest extends EventsTest {
  @Override
  Set<Event> events() {
    Set<Event> events = new LinkedHashSet<>();
    for (UserAction action : UserAction.values()) {
      moments().forEach(step -> events.add(new Event(action, step)));
    }
    return events;
  }
}
