// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.parity.Footprint;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.RegroupStep;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * As {@link CrashJourneyTest}, for files that share parity: the daemon's process is halted after
 * each step of raiding them together and of encoding them again, and another takes up what all of
 * them left.
 */
@Tag("full")
class GroupCrashJourneyTest {
  @TempDir private static Path folder;
  private static Journey journey;
  private static GroupDirectories groups;
  private static Path conf;
  private static Footprint afterRaids;
  private static Footprint afterRegrouping;

  @BeforeAll
  static void dieEverywhere() throws Exception {
    journey = new Journey(9);
    groups = new GroupDirectories(journey);
    conf = folder.resolve("conf.xml");
    Configuration written = new Configuration(journey.hdfs.configuration());
    try (OutputStream out = Files.newOutputStream(conf)) {
      written.writeXml(out);
    }
    for (RaidStep step : RaidStep.values()) {
      groups.load(step);
      halt(step);
    }
    journey.startDaemon(StepListener.NONE);
    for (RaidStep step : RaidStep.values()) {
      groups.raidTogether(step);
    }
    for (RegroupStep step : RegroupStep.values()) {
      groups.load(step);
      groups.raidTogether(step);
    }
    groups.awaitRaided();
    journey.jobs().upkeep().cleanUp().run();
    afterRaids = journey.cluster().access().parity().footprint();

    for (RegroupStep step : RegroupStep.values()) {
      groups.change(step);
    }
    journey.stopDaemon();
    for (RegroupStep step : RegroupStep.values()) {
      halt(step);
    }
    journey.startDaemon(StepListener.NONE);
    groups.awaitSuccessors();
    groups.awaitRaided();
    journey.jobs().upkeep().cleanUp().run();
    afterRegrouping = journey.cluster().access().parity().footprint();
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  /** One by one: the numbers of groups are given by one daemon. */
  private static void halt(Enum<?> step) throws Exception {
    HaltingDaemon.start(conf, journey.catalogFolder(), folder, List.of(groups.task(step)));
    groups.assertReadable(step);
  }

  @ParameterizedTest
  @EnumSource(RaidStep.class)
  void raidingTogetherIsTakenUpAfterAHaltAtAnyStep(RaidStep step) throws Exception {
    groups.assertRaidedTogether(step);
  }

  @ParameterizedTest
  @EnumSource(RegroupStep.class)
  void encodingAGroupAgainIsTakenUpAfterAHaltAtAnyStep(RegroupStep step) throws Exception {
    groups.assertEncodedAgain(step);
  }

  @Test
  void oneJanitorPassLeavesNothingOfWhatDied() {
    for (Footprint footprint : List.of(afterRaids, afterRegrouping)) {
      assertThat(footprint.drafts()).isZero();
      assertThat(footprint.quarantined()).isZero();
      assertThat(footprint.foreignEntries()).isZero();
    }
  }
}
