// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code -Dsimulation.seeds=1000} runs that many histories, {@code -Dsimulation.days=3650} makes
 * them that long, {@code -Dsimulation.seed=4711} runs just this one: the number that a failure
 * begins with.
 */
class SimulationTest {
  private static final Logger LOG = LoggerFactory.getLogger(SimulationTest.class);
  private static final int SEEDS = 2;

  /** Rot in two units of a stripe is found together, by a second deep scrub: that takes a while. */
  private static final int DAYS = 60;

  private static final int MANY_SEEDS = 12;
  private static final int MANY_DAYS = 365;
  private static final List<String> CODECS =
      List.of("rs-6-3", "lrc-xorbas-10-6", "rs-10-4", "less-10-4", "hitchhiker-10-4", "rs-3-2");

  @Test
  void nothingThatCanBeRecoveredIsEverLostAndEveryBacklogDrains(@TempDir Path folder)
      throws IOException {
    live(
        Integer.getInteger("simulation.seeds", SEEDS),
        Integer.getInteger("simulation.days", DAYS),
        folder);
  }

  @Test
  @Tag("full")
  void soItIsInManyYears(@TempDir Path folder) throws IOException {
    live(MANY_SEEDS, MANY_DAYS, folder);
  }

  private static void live(int seeds, int days, Path folder) throws IOException {
    long only = Long.getLong("simulation.seed", -1);
    Tally all = new Tally();
    for (long seed = only < 0 ? 1 : only; seed <= (only < 0 ? seeds : only); seed++) {
      String codec = CODECS.get((int) (seed % CODECS.size()));
      try (Years years = new Years(seed, codec, folder.resolve("seed-" + seed))) {
        years.run(days);
        all.add(years.tally());
        LOG.info("seed {}, {}: {}", seed, codec, years.tally());
      }
    }
    LOG.info("{} histories of {} days: {}", seeds, days, all);
    if (only < 0) {
      assertThat(all.of("repaired, losses 1")).as("single losses in %s", all).isPositive();
      assertThat(all.of("repaired, losses 2")).as("double losses in %s", all).isPositive();
      assertThat(all.of("daemon halted in a step")).as("halts in %s", all).isPositive();
      assertThat(all.of("clock set forward")).as("clocks set forward in %s", all).isPositive();
      assertThat(all.of("clock set back")).as("clocks set back in %s", all).isPositive();
    }
  }
}
