// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;

/**
 * The cross product of {@link EventsTest}: every action at every step and afterwards. {@code
 * -Devents=SAFE_MODE|APPEND.*} takes the actions whose names match.
 */
@Tag("full")
class EveryEventAtEveryStepTest extends EventsTest {
  @Override
  Set<Event> events() {
    Pattern names = Pattern.compile(System.getProperty("events", ".*"));
    Set<Event> events = new LinkedHashSet<>();
    for (UserAction action : UserAction.values()) {
      if (names.matcher(action.name()).matches()) {
        moments().forEach(step -> events.add(new Event(action, step)));
      }
    }
    return events;
  }
}
