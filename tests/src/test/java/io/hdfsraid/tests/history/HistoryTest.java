package io.hdfsraid.tests.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * {@code -Dhistory.seeds=1000} runs that many histories, {@code -Dhistory.events=500} makes them
 * that long, {@code -Dhistory.seed=4711} runs just this one: the number that a failure begins with.
 */
class HistoryTest {
  private static final int SEEDS = 200;
  private static final int EVENTS = 60;

  @Test
  void nothingThatAUserWroteIsEverLostInMemory() throws IOException {
    int seeds = Integer.getInteger("history.seeds", SEEDS);
    int events = Integer.getInteger("history.events", EVENTS);
    long only = Long.getLong("history.seed", -1);
    for (long seed = only < 0 ? 1 : only; seed <= (only < 0 ? seeds : only); seed++) {
      try (MemoryWorld world = new MemoryWorld(seed)) {
        new History(seed, world, "/history").run(events);
        assertThat(world.blocks()).as("seed %d: blocks left in the cluster", seed).isZero();
      }
    }
  }
}
