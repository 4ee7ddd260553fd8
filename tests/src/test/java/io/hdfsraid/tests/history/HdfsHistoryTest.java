package io.hdfsraid.tests.history;

import io.hdfsraid.tests.journeys.Journey;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * Histories on a real HDFS. {@code -Dhistory.hdfsSeeds=20} runs that many, {@code
 * -Dhistory.hdfsEvents=500} makes them that long, {@code -Dhistory.hdfsSeed=17} runs just this one.
 * HDFS does things in its own time, so a seed is the same sequence of events, but not always the
 * same outcome.
 */
class HdfsHistoryTest {
  private static final int NODES = 11;
  private static final int SEEDS = 1;
  private static final int EVENTS = 40;

  @Test
  void nothingThatAUserWroteIsEverLostOnHdfs() throws IOException {
    int seeds = Integer.getInteger("history.hdfsSeeds", SEEDS);
    int events = Integer.getInteger("history.hdfsEvents", EVENTS);
    long only = Long.getLong("history.hdfsSeed", -1);
    try (Journey journey = new Journey(NODES)) {
      for (long seed = only < 0 ? 1 : only; seed <= (only < 0 ? seeds : only); seed++) {
        String folder = "/history" + seed;
        try (HdfsWorld world = new HdfsWorld(journey, folder)) {
          new History(seed, world, folder).run(events);
        }
      }
    }
  }
}
