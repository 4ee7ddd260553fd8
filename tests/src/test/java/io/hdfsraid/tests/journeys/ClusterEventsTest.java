// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import java.util.Set;

/** What happens to the whole cluster, at the step where it is most dangerous. */
class ClusterEventsTest extends EventsTest {
  @Override
  Set<Event> events() {
    return atTheirWorst(UserAction.toClusters());
  }
}
