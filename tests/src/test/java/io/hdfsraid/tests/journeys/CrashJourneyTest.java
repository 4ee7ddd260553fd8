// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.blockfixer.repair.RepairStep;
import io.hdfsraid.drfs.parity.Footprint;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import io.hdfsraid.tests.journeys.CrashCase.Work;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The daemon's process is halted while its files have come to each step of raid, unraid, move and
 * repair, and to the middle of the long ones, and another takes up what it left. The steps come
 * from the enums, so a new one is tested without being listed.
 */
class CrashJourneyTest {
  @TempDir private static Path folder;
  private static Journey journey;
  private static CrashCases cases;
  private static Path conf;
  private static Footprint afterRaids;

  /** One power cut finds every file at another place. */
  @BeforeAll
  static void dieEverywhere() throws Exception {
    journey = new Journey(9);
    conf = folder.resolve("conf.xml");
    Configuration written = new Configuration(journey.hdfs.configuration());
    try (OutputStream out = Files.newOutputStream(conf)) {
      written.writeXml(out);
    }
    cases = CrashCases.everywhere(journey);
    List<CrashCase> raids = cases.of(Work.RAID);
    halt(raids);
    journey.startDaemon(StepListener.NONE);
    raids.forEach(CrashCase::raid);
    CrashCases.settle(raids);
    journey.jobs().upkeep().cleanUp().run();
    afterRaids = journey.cluster().access().parity().footprint();

    List<CrashCase> others = cases.of(Work.UNRAID, Work.REPAIR, Work.AUDIT);
    cases.prepare(others, 1);
    journey.stopDaemon();
    halt(others);
    journey.startDaemon(StepListener.NONE);
    CrashCases.settle(others);
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  @ParameterizedTest
  @EnumSource(RaidStep.class)
  void raidingIsTakenUpAfterAHaltAtAnyStep(RaidStep step) throws Exception {
    cases.assertRaided(step);
  }

  @ParameterizedTest
  @EnumSource(UnraidStep.class)
  void lettingGoIsTakenUpAfterAHaltAtAnyStep(UnraidStep step) throws Exception {
    cases.assertUnraided(step);
  }

  @ParameterizedTest
  @EnumSource(RepairStep.class)
  void repairIsTakenUpAfterAHaltAtAnyStep(RepairStep step) throws Exception {
    cases.assertDone(step);
  }

  @ParameterizedTest
  @EnumSource(MoveStep.class)
  void aMoveIsTakenUpAfterAHaltAtAnyStep(MoveStep step) throws Exception {
    cases.assertSpread(step);
  }

  @ParameterizedTest
  @EnumSource(HaltMoment.class)
  void whatTakesLongIsTakenUpAfterAHaltInTheMiddleOfIt(HaltMoment moment) throws Exception {
    cases.assertDoneAfter(moment);
  }

  @Test
  void oneJanitorPassLeavesNothingOfTheRaidsThatDied() {
    assertThat(afterRaids.drafts()).isZero();
    assertThat(afterRaids.quarantined()).isZero();
    assertThat(afterRaids.foreignEntries()).isZero();
  }

  private static void halt(List<CrashCase> halted) throws Exception {
    HaltingDaemon.start(
        conf, journey.catalogFolder(), folder, halted.stream().map(CrashCase::task).toList());
    for (CrashCase it : halted) {
      if (it.work() != Work.REPAIR) {
        it.run(it::assertReadable);
      }
    }
  }
}
