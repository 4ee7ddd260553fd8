// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.history;

import io.hdfsraid.tests.journeys.Journey;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories on a real HDFS. {@code -Dhistory.hdfsSeeds=20} runs that many, {@code
 * -Dhistory.hdfsEvents=500} makes them that long, {@code -Dhistory.hdfsSeed=17} begins with this
 * one. HDFS does things in its own time, so a seed is the same sequence of events, but not always
 * the same outcome.
 */
class HdfsHistoryTest {
  private static final int NODES = 11;
  private static final int EVENTS = 25;
  private static final int MANY_SEEDS = 3;
  private static final int MANY_EVENTS = 60;

  /**
   * The NameNode orders a copy again that never comes, because its source is gone, and a deletion
   * that was lost because the block was truncated: by default after five minutes and an hour.
   */
  private static final Map<String, String> SHORT_TIMEOUTS =
      Map.of(
          "dfs.namenode.reconstruction.pending.timeout-sec", "3",
          "dfs.namenode.excess.redundancy.timeout-sec", "3");

  @Test
  void nothingThatAUserWroteIsEverLostOnHdfs() throws IOException {
    live(
        Integer.getInteger("history.hdfsSeeds", 1),
        Integer.getInteger("history.hdfsEvents", EVENTS));
  }

  @Test
  @Tag("full")
  void norInLongerHistories() throws IOException {
    live(MANY_SEEDS, MANY_EVENTS);
  }

  private static void live(int seeds, int events) throws IOException {
    long first = Long.getLong("history.hdfsSeed", 1);
    try (Journey journey = new Journey(NODES, SHORT_TIMEOUTS)) {
      for (long seed = first; seed < first + seeds; seed++) {
        String folder = "/history" + seed;
        try (HdfsWorld world = new HdfsWorld(journey, folder)) {
          new History(seed, world, folder).run(events);
        }
      }
    }
  }
}
