// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code -Dgroups.seeds=10000} runs that many histories, {@code -Dgroups.seed=4711} just this one:
 * the number that a failure begins with.
 */
class GroupHistoriesTest {
  private static final int SEEDS = 40;
  private static final int MANY_SEEDS = 1_000;
  private static final int DAYS = 6;

  @Test
  void whateverUsersDoToFilesOfGroupsNothingIsLostAndNothingWaitsForEver() {
    live(Integer.getInteger("groups.seeds", SEEDS));
  }

  @Test
  @Tag("full")
  void soItIsInManyHistories() {
    live(MANY_SEEDS);
  }

  private static void live(int seeds) {
    long only = Long.getLong("groups.seed", -1);
    for (long seed = only < 0 ? 1 : only; seed <= (only < 0 ? seeds : only); seed++) {
      try (GroupHistory history = new GroupHistory(seed)) {
        history.run(DAYS);
      }
    }
  }
}
