package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.blockfixer.repair.RepairStep;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.parity.Footprint;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import io.hdfsraid.tests.journeys.CrashCase.Work;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private static final Map<Enum<?>, CrashCase> CASES = new LinkedHashMap<>();
  private static Journey journey;
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
    load(Work.RAID, RaidStep.values());
    load(Work.RAID, HaltMoment.SOURCE_BYTE, HaltMoment.PARITY_BYTE);
    load(Work.UNRAID, UnraidStep.values());
    load(Work.UNRAID, HaltMoment.UNRAID_WAIT);
    load(Work.REPAIR, RepairStep.values());
    load(Work.AUDIT, MoveStep.values());
    load(Work.AUDIT, HaltMoment.MOVE_WAIT);

    List<CrashCase> raids = cases(Work.RAID);
    halt(raids);
    journey.startDaemon(StepListener.NONE);
    raids.forEach(CrashCase::raid);
    settle(raids);
    journey.jobs().upkeep().cleanUp().run();
    afterRaids = journey.cluster().access().parity().footprint();

    List<CrashCase> others = cases(Work.UNRAID, Work.REPAIR, Work.AUDIT);
    others.forEach(CrashCase::raid);
    for (CrashCase each : others) {
      journey.settle(each.inode(), FileState.RAIDED);
    }
    crowd(cases(Work.AUDIT));
    for (CrashCase each : cases(Work.REPAIR)) {
      LocatedStripe stripe = journey.stripes(each.inode()).get(0);
      journey.delete(stripe, 1);
      journey.delete(stripe, 3);
    }
    journey.stopDaemon();
    halt(others);
    journey.startDaemon(StepListener.NONE);
    settle(others);
  }

  @AfterAll
  static void stop() {
    journey.close();
  }

  private static void load(Work work, Enum<?>... places) throws IOException {
    for (Enum<?> where : places) {
      CASES.put(where, new CrashCase(journey, work, where));
    }
  }

  private static List<CrashCase> cases(Work... works) {
    return CASES.values().stream().filter(each -> List.of(works).contains(each.work())).toList();
  }

  @ParameterizedTest
  @EnumSource(RaidStep.class)
  void raidingIsTakenUpAfterAHaltAtAnyStep(RaidStep step) throws Exception {
    assertRaided(step);
  }

  @ParameterizedTest
  @EnumSource(UnraidStep.class)
  void lettingGoIsTakenUpAfterAHaltAtAnyStep(UnraidStep step) throws Exception {
    assertUnraided(step);
  }

  @ParameterizedTest
  @EnumSource(RepairStep.class)
  void repairIsTakenUpAfterAHaltAtAnyStep(RepairStep step) throws Exception {
    assertDone(step);
  }

  @ParameterizedTest
  @EnumSource(MoveStep.class)
  void aMoveIsTakenUpAfterAHaltAtAnyStep(MoveStep step) throws Exception {
    assertSpread(step);
  }

  @ParameterizedTest
  @EnumSource(HaltMoment.class)
  void whatTakesLongIsTakenUpAfterAHaltInTheMiddleOfIt(HaltMoment moment) throws Exception {
    switch (moment) {
      case SOURCE_BYTE, PARITY_BYTE -> assertRaided(moment);
      case MOVE_WAIT -> assertSpread(moment);
      case UNRAID_WAIT -> assertUnraided(moment);
    }
  }

  @Test
  void oneJanitorPassLeavesNothingOfTheRaidsThatDied() {
    assertThat(afterRaids.drafts()).isZero();
    assertThat(afterRaids.quarantined()).isZero();
    assertThat(afterRaids.foreignEntries()).isZero();
  }

  private static CrashCase assertDone(Enum<?> where) throws Exception {
    CrashCase it = CASES.get(where);
    it.assertDone();
    return it;
  }

  private static void assertRaided(Enum<?> where) throws Exception {
    CrashCase it = assertDone(where);
    assertThat(journey.file(it.path()).replication()).isEqualTo(1);
  }

  private static void assertUnraided(Enum<?> where) throws Exception {
    CrashCase it = assertDone(where);
    assertThat(journey.file(it.path()).replication()).isEqualTo(3);
    assertThat(journey.file(it.path()).blocks())
        .allSatisfy(block -> assertThat(block.live()).hasSize(3));
    assertThat(journey.cluster().access().parity().find(it.inode())).isEmpty();
  }

  private static void assertSpread(Enum<?> where) throws Exception {
    CrashCase it = assertDone(where);
    assertThat(nodesOf(it)).hasSize(5).doesNotHaveDuplicates();
  }

  /** Two units of the stripe of each on one node, as somebody's balancer might leave them. */
  private static void crowd(List<CrashCase> cases) throws IOException {
    for (CrashCase it : cases) {
      LocatedStripe stripe = journey.stripes(it.inode()).get(0);
      LocatedBlock moved = stripe.unit(0).located().orElseThrow();
      DataNode crowded = stripe.unit(1).located().orElseThrow().live().get(0).node();
      journey.cluster().mover().move(moved.block(), moved.live().get(0), crowded);
    }
    for (CrashCase it : cases) {
      Journey.until(
          () -> nodesOf(it).stream().distinct().count() == 4 && nodesOf(it).size() == 5,
          () -> "two units of %s on one node: %s".formatted(it, nodesOf(it)));
    }
  }

  /** The node of each replica of each unit of the only stripe. */
  private static List<DataNode> nodesOf(CrashCase it) throws IOException {
    return journey.stripes(it.inode()).get(0).units().stream()
        .flatMap(unit -> unit.located().stream())
        .flatMap(block -> block.live().stream().map(Replica::node))
        .toList();
  }

  /** Until none has anything left to do. */
  private static void settle(List<CrashCase> cases) throws IOException {
    Journey.until(
        () -> cases.stream().filter(each -> !each.settles()).count() == 0,
        () -> cases.stream().filter(each -> !each.isSettled()).toList().toString());
  }

  private static void halt(List<CrashCase> cases) throws Exception {
    HaltingDaemon.start(
        conf,
        journey.catalogFolder(),
        folder,
        cases.stream()
            .map(it -> new HaltingDaemon.Task(it.work(), List.of(it.inode()), it.where()))
            .toList());
    for (CrashCase it : cases) {
      if (it.work() != Work.REPAIR) {
        it.run(it::assertReadable);
      }
    }
  }
}
