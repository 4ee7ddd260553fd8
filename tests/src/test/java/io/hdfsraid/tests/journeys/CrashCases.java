// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.blockfixer.repair.RepairStep;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import io.hdfsraid.tests.journeys.CrashCase.Work;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A file for each place at which a daemon is stopped, all on one HDFS. */
final class CrashCases {
  private final Map<Enum<?>, CrashCase> cases = new LinkedHashMap<>();
  private final Journey journey;

  private CrashCases(Journey journey) {
    this.journey = journey;
  }

  /** Loads one for each step of each kind of work, and for each moment in between. */
  static CrashCases everywhere(Journey journey) throws IOException {
    CrashCases cases = new CrashCases(journey);
    cases.load(Work.RAID, RaidStep.values());
    cases.load(Work.RAID, HaltMoment.SOURCE_BYTE, HaltMoment.PARITY_BYTE);
    cases.load(Work.UNRAID, UnraidStep.values());
    cases.load(Work.UNRAID, HaltMoment.UNRAID_WAIT);
    cases.load(Work.REPAIR, RepairStep.values());
    cases.load(Work.AUDIT, MoveStep.values());
    cases.load(Work.AUDIT, HaltMoment.MOVE_WAIT);
    return cases;
  }

  private void load(Work work, Enum<?>... places) throws IOException {
    for (Enum<?> where : places) {
      cases.put(where, new CrashCase(journey, work, where));
    }
  }

  Collection<CrashCase> all() {
    return cases.values();
  }

  List<CrashCase> of(Work... works) {
    return cases.values().stream().filter(each -> List.of(works).contains(each.work())).toList();
  }

  /**
   * Raids these, and makes what is to be moved or repaired need it.
   *
   * @param crowdedNodes the nodes that hold two units of what is to be moved, at most 2
   */
  void prepare(List<CrashCase> raided, int crowdedNodes) throws IOException {
    raided.forEach(CrashCase::raid);
    for (CrashCase each : raided) {
      journey.settle(each.inode(), FileState.RAIDED);
    }
    crowd(raided.stream().filter(each -> each.work() == Work.AUDIT).toList(), crowdedNodes);
    for (CrashCase each : raided) {
      if (each.work() == Work.REPAIR) {
        LocatedStripe stripe = journey.stripes(each.inode()).get(0);
        journey.delete(stripe, 1);
        journey.delete(stripe, 3);
      }
    }
  }

  /** Two units of the stripe of each on one node, as somebody's balancer might leave them. */
  private void crowd(List<CrashCase> crowded, int nodes) throws IOException {
    for (CrashCase it : crowded) {
      LocatedStripe stripe = journey.stripes(it.inode()).get(0);
      for (int unit = 0; unit < 2 * nodes; unit += 2) {
        LocatedBlock moved = stripe.unit(unit).located().orElseThrow();
        DataNode target = stripe.unit(unit + 1).located().orElseThrow().live().get(0).node();
        journey.cluster().mover().move(moved.block(), moved.live().get(0), target);
      }
    }
    for (CrashCase it : crowded) {
      Journey.until(
          () -> nodesOf(it).stream().distinct().count() == 5 - nodes && nodesOf(it).size() == 5,
          () -> "two units of %s on each of %d nodes: %s".formatted(it, nodes, nodesOf(it)));
    }
  }

  /** The node of each replica of each unit of the only stripe. */
  private List<DataNode> nodesOf(CrashCase it) throws IOException {
    return journey.stripes(it.inode()).get(0).units().stream()
        .flatMap(unit -> unit.located().stream())
        .flatMap(block -> block.live().stream().map(Replica::node))
        .toList();
  }

  /** Waits until none of these has anything left to do. */
  static void settle(Collection<CrashCase> cases) throws IOException {
    Journey.until(
        () -> cases.stream().filter(each -> !each.settles()).count() == 0,
        () -> cases.stream().filter(each -> !each.isSettled()).toList().toString());
  }

  CrashCase at(Enum<?> where) {
    return cases.get(where);
  }

  CrashCase assertDone(Enum<?> where) throws IOException {
    CrashCase it = cases.get(where);
    it.assertDone();
    return it;
  }

  void assertRaided(Enum<?> where) throws IOException {
    CrashCase it = assertDone(where);
    assertThat(journey.file(it.path()).replication()).isEqualTo(1);
  }

  void assertUnraided(Enum<?> where) throws IOException {
    CrashCase it = assertDone(where);
    assertThat(journey.file(it.path()).replication()).isEqualTo(3);
    assertThat(journey.file(it.path()).blocks())
        .allSatisfy(block -> assertThat(block.live()).hasSize(3));
    assertThat(journey.cluster().access().parity().find(it.inode())).isEmpty();
  }

  void assertSpread(Enum<?> where) throws IOException {
    CrashCase it = assertDone(where);
    assertThat(nodesOf(it)).hasSize(5).doesNotHaveDuplicates();
  }

  /** Asserts what a stop in the middle of a long step must lead to. */
  void assertDoneAfter(HaltMoment moment) throws IOException {
    switch (moment) {
      case SOURCE_BYTE, PARITY_BYTE -> assertRaided(moment);
      case MOVE_WAIT -> assertSpread(moment);
      case UNRAID_WAIT -> assertUnraided(moment);
    }
  }
}
