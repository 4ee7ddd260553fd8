// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code -Dhistory.seeds=1000} runs that many histories, {@code -Dhistory.events=500} makes them
 * that long, {@code -Dhistory.seed=4711} runs just this one: the number that a failure begins with.
 */
class HistoryTest {
  private static final int SEEDS = 100;
  private static final int EVENTS = 60;
  private static final int MANY_SEEDS = 1_000;
  private static final int MANY_EVENTS = 200;

  @Test
  void nothingThatAUserWroteIsEverLostInMemory() throws IOException {
    live(Integer.getInteger("history.seeds", SEEDS), Integer.getInteger("history.events", EVENTS));
  }

  @Test
  @Tag("full")
  void norInManyLongHistories() throws IOException {
    live(MANY_SEEDS, MANY_EVENTS);
  }

  private static void live(int seeds, int events) throws IOException {
    long only = Long.getLong("history.seed", -1);
    for (long seed = only < 0 ? 1 : only; seed <= (only < 0 ? seeds : only); seed++) {
      try (MemoryWorld world = new MemoryWorld(seed)) {
        new History(seed, world, "/history").run(events);
        assertThat(world.blocks()).as("seed %d: blocks left in the cluster", seed).isZero();
      }
    }
  }
}
