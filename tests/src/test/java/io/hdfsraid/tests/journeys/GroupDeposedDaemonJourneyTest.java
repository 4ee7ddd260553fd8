// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.RegroupStep;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * As {@link DeposedDaemonJourneyTest}, for files that share parity: daemons are stopped and deposed
 * at each step of raiding files together and of encoding a group again.
 */
@Tag("full")
class GroupDeposedDaemonJourneyTest {
  @TempDir private static Path folder;
  private static Journey journey;
  private static Depositions depositions;
  private static GroupDirectories groups;

  @BeforeAll
  static void deposeEverywhere() throws Exception {
    journey = new Journey(9, Depositions.HDFS_SETTINGS);
    // A member that has changed gets its replicas back.
    depositions = new Depositions(journey, folder, path -> path.startsWith("/RegroupStep/"));
    groups = new GroupDirectories(journey);
    for (RegroupStep step : RegroupStep.values()) {
      groups.load(step);
    }
    journey.startDaemon(StepListener.NONE);
    for (RegroupStep step : RegroupStep.values()) {
      groups.raidTogether(step);
    }
    groups.awaitRaided();
    List<DaemonWork.Task> tasks = new ArrayList<>();
    for (RegroupStep step : RegroupStep.values()) {
      groups.change(step);
      tasks.add(groups.task(step));
    }
    journey.stopDaemon();
    for (RaidStep step : RaidStep.values()) {
      groups.load(step);
      tasks.add(groups.task(step));
    }

    FrozenDaemon last = depositions.run(tasks);

    journey.startDaemon(StepListener.NONE);
    depositions.thaw(last);
    // The groups are known to the daemons that have committed them, each with a catalog of its own.
    journey.jobs().detection().integrity().run();
    for (RaidStep step : RaidStep.values()) {
      groups.raidTogether(step);
    }
    groups.awaitSuccessors();
    groups.awaitRaided();
  }

  @AfterAll
  static void stop() {
    depositions.close();
    journey.close();
  }

  @ParameterizedTest
  @EnumSource(RaidStep.class)
  void whoIsDeposedAtAnyStepOfRaidingTogetherChangesNothing(RaidStep step) throws Exception {
    depositions.assertChangedNothing(groups.task(step));
    groups.assertRaidedTogether(step);
  }

  @ParameterizedTest
  @EnumSource(RegroupStep.class)
  void whoIsDeposedAtAnyStepOfEncodingAGroupAgainChangesNothing(RegroupStep step) throws Exception {
    depositions.assertChangedNothing(groups.task(step));
    groups.assertEncodedAgain(step);
  }
}
