// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.blockfixer.repair.RepairStep;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import io.hdfsraid.tests.journeys.CrashCase.Work;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A daemon is stopped by SIGSTOP at each step of raid, unraid, move and repair, and in the middle
 * of the long ones. Another one takes over, and the first one goes on. From then on it changes
 * nothing: the NameNode's audit log has no change of it, and no DataNode gets a replica. The last
 * daemon takes up what all of them left. The steps come from the enums, so a new one is tested
 * without being listed.
 */
@Tag("full")
class DeposedDaemonJourneyTest {
  @TempDir private static Path folder;
  private static Journey journey;
  private static Depositions depositions;
  private static CrashCases cases;

  @BeforeAll
  static void deposeEverywhere() throws Exception {
    journey = new Journey(9, Depositions.HDFS_SETTINGS);
    depositions =
        new Depositions(journey, folder, path -> path.startsWith("/" + Work.UNRAID + "/"));
    cases = CrashCases.everywhere(journey);
    journey.startDaemon(StepListener.NONE);
    // A second move is left to do, and must not be done, when the first one is.
    cases.prepare(cases.of(Work.UNRAID, Work.REPAIR, Work.AUDIT), 2);
    journey.stopDaemon();

    FrozenDaemon last = depositions.run(cases.all().stream().map(CrashCase::task).toList());

    journey.startDaemon(StepListener.NONE);
    depositions.thaw(last);
    cases.of(Work.RAID).forEach(CrashCase::raid);
    CrashCases.settle(cases.all());
    journey.jobs().upkeep().cleanUp().run();
  }

  @AfterAll
  static void stop() {
    depositions.close();
    journey.close();
  }

  private static void assertChangedNothing(Enum<?> where) {
    depositions.assertChangedNothing(cases.at(where).task());
  }

  @ParameterizedTest
  @EnumSource(RaidStep.class)
  void whoIsDeposedAtAnyStepOfRaidingChangesNothing(RaidStep step) throws Exception {
    assertChangedNothing(step);
    cases.assertRaided(step);
  }

  @ParameterizedTest
  @EnumSource(UnraidStep.class)
  void whoIsDeposedAtAnyStepOfUnraidingChangesNothing(UnraidStep step) throws Exception {
    assertChangedNothing(step);
    cases.assertUnraided(step);
  }

  @ParameterizedTest
  @EnumSource(RepairStep.class)
  void whoIsDeposedAtAnyStepOfARepairChangesNothing(RepairStep step) throws Exception {
    assertChangedNothing(step);
    cases.assertDone(step);
  }

  @ParameterizedTest
  @EnumSource(MoveStep.class)
  void whoIsDeposedAtAnyStepOfAMoveChangesNothing(MoveStep step) throws Exception {
    assertChangedNothing(step);
    cases.assertSpread(step);
  }

  @ParameterizedTest
  @EnumSource(HaltMoment.class)
  void whoIsDeposedInTheMiddleOfALongStepChangesNothing(HaltMoment moment) throws Exception {
    assertChangedNothing(moment);
    cases.assertDoneAfter(moment);
  }
}
