// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.blockfixer.placement.KeptReplicaForecast;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.embedded.EmbeddedNode;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.journal.AuditPass;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.upkeep.PlacementJob;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Twenty nodes on five racks that are as full as what they store makes them. Where replicas are is
 * counted on their disks.
 */
@Tag("full")
class PlacementJourneyTest {
  private static final int FILES = 14;
  private static final int BLOCKS = 12;
  private static final int IN_A_RACK = 2; // nine units of rs-6-3 on five racks

  private final Map<Long, String> files = new LinkedHashMap<>();
  private final Map<String, byte[]> contents = new HashMap<>();
  private Journey journey;

  @Test
  void stripesStaySpreadWhateverHdfsMoves() throws Exception {
    try (Journey started =
        new Journey(
            EmbeddedHdfs.builder()
                .dataNodes(20)
                .nodeCapacity(24 << 20)
                .set("dfs.namenode.decommission.interval", "1"))) {
      journey = started;
      journey.startDaemon(StepListener.NONE);
      theNameNodeKeepsWhatIsForeseen();
      double before = loadFiles();
      raidFiles();
      dataAndParityAreSpread(before);
      newNodesTheBalancerAndADecommissionMisplaceUnits();
      theAuditPutsThemRight();
      anAuditThatIsCutOffIsTakenUpWhereItWas();
      aWholeRackMayGo();
    }
  }

  private void theNameNodeKeepsWhatIsForeseen() throws IOException {
    journey.load("/kept", 40 * Journey.BLOCK);
    journey.hdfs.triggerHeartbeats();
    KeptReplicaForecast kept =
        new KeptReplicaForecast(journey.cluster().access().namespace().nodes());
    Map<Long, DataNode> foreseen = new HashMap<>();
    for (LocatedBlock block : journey.file("/kept").blocks()) {
      Map<DataNode, Double> odds = kept.odds(block, StoragePolicy.UNSPECIFIED);
      if (odds.size() == 1) {
        foreseen.put(block.block().id(), odds.keySet().iterator().next());
      }
    }
    assertThat(foreseen).as("blocks whose fate is clear").hasSizeGreaterThan(10);

    journey.hdfs.fileSystem().setReplication(new Path("/kept"), (short) 1);
    Journey.until(
        () -> journey.file("/kept").blocks().stream().allMatch(block -> block.live().size() == 1),
        () -> "one replica each: " + journey.file("/kept").blocks());

    for (LocatedBlock block : journey.file("/kept").blocks()) {
      if (foreseen.containsKey(block.block().id())) {
        assertThat(block.live().get(0).node())
            .as("%s", block.block())
            .isEqualTo(foreseen.get(block.block().id()));
      }
    }
    journey.hdfs.fileSystem().delete(new Path("/kept"), false);
  }

  /** The fullest node's bytes of data in terms of the average node's. */
  private double loadFiles() throws IOException {
    for (int i = 0; i < FILES; i++) {
      String path = "/warehouse/part-" + i;
      contents.put(path, journey.load(path, BLOCKS * Journey.BLOCK - i));
      files.put(journey.file(path).inode(), path);
    }
    return skew(dataOnDisk());
  }

  /**
   * Moves, for which one waits most, go side by side; room on disks is known when the next comes.
   */
  private void raidFiles() throws IOException {
    for (Map.Entry<Long, String> file : files.entrySet()) {
      journey.jobs().select().raider().raid(file.getKey(), new Protection("rs-6-3", 1, 1), "test");
      Journey.until(
          () -> {
            journey.hdfs.triggerHeartbeats();
            return journey.file(file.getValue()).blocks().stream()
                .allMatch(block -> block.live().size() == 1);
          },
          () -> "one replica of each block of " + file.getValue());
    }
    Journey.until(
        () -> {
          for (long inode : files.keySet()) {
            journey.jobs().upkeep().reconciler().reconcile(inode, "test");
          }
          return files.keySet().stream()
              .allMatch(inode -> journey.record(inode).orElseThrow().state() == FileState.RAIDED);
        },
        () -> "all files to be raided: " + files.keySet().stream().map(journey::record).toList());
  }

  private void dataAndParityAreSpread(double before) throws IOException {
    Map<Integer, Long> data = dataOnDisk();
    assertThat(skew(data))
        .as("before %.2f, after %s", before, data)
        .isLessThanOrEqualTo(1.3 * before);
    assertThat(data.values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(contents.values().stream().mapToLong(bytes -> bytes.length).sum());

    audit();
    Map<Integer, Long> parity = parityOnDisk();
    for (EmbeddedNode node : journey.hdfs.dataNodes()) {
      assertThat(journey.jobs().raiding().parityBytes().on(new DataNode(node.uuid(), "", "", "")))
          .as("parity on node %d", node.index())
          .isEqualTo(parity.getOrDefault(node.index(), 0L));
    }
  }

  private void newNodesTheBalancerAndADecommissionMisplaceUnits() throws IOException {
    journey.hdfs.addDataNodes(5);
    journey.hdfs.decommission(0);
    Journey.until(() -> journey.hdfs.isDecommissioned(0), () -> "node 0 to be decommissioned");
    journey.hdfs.balance(2);

    assertThat(misplaced()).as("stripes that HDFS has spoilt").isNotEmpty();
  }

  private void theAuditPutsThemRight() throws IOException {
    Journey.until(
        () -> {
          audit();
          return misplaced().isEmpty();
        },
        () -> "all stripes to be spread; wrong are " + misplaced());
    AuditPass pass = PlacementJob.pass(journey.catalog().notes()).orElseThrow();
    assertThat(pass.ended()).isPresent();
    assertThat(pass.files()).isEqualTo(FILES);
    assertThat(pass.stripes()).isEqualTo(FILES * BLOCKS / 6);
    assertThat(pass.sharing() + pass.crowding() + pass.stuck()).isZero();
    for (long inode : files.keySet()) {
      journey.settle(inode, FileState.RAIDED);
      assertThat(journey.readPlain(files.get(inode))).isEqualTo(contents.get(files.get(inode)));
    }
  }

  private void anAuditThatIsCutOffIsTakenUpWhereItWas() throws IOException {
    ExecutorService threads = Executors.newSingleThreadExecutor();
    AtomicInteger pauses = new AtomicInteger();
    PlacementJob slow =
        new PlacementJob(
            journey.catalog(),
            journey.jobs().upkeep().reconciler(),
            new Workers(threads),
            journey.jobs().raiding().parityBytes(),
            () -> 5,
            duration -> {
              if (pauses.incrementAndGet() == 2) {
                throw new InterruptedIOException("stopped");
              }
            },
            RaidEvents.NONE,
            Clock.fixed(Instant.parse("2029-06-01T12:00:00Z"), ZoneOffset.UTC));
    assertThatThrownBy(slow::run).isInstanceOf(InterruptedIOException.class);
    AuditPass half = PlacementJob.pass(journey.catalog().notes()).orElseThrow();
    assertThat(half.ended()).isEmpty();
    assertThat(half.files()).as("what was under way is done again").isEqualTo(5);

    slow.run();

    AuditPass whole = PlacementJob.pass(journey.catalog().notes()).orElseThrow();
    assertThat(whole.ended()).isPresent();
    assertThat(whole.files()).isEqualTo(FILES);
    assertThat(pauses.get()).as("batches: one, one cut off, two more").isEqualTo(4);
    threads.shutdown();
  }

  private void audit() throws IOException {
    journey.jobs().upkeep().placementAudit().run();
  }

  private void aWholeRackMayGo() throws IOException {
    for (EmbeddedNode node : journey.hdfs.dataNodes()) {
      if (node.rack().equals("/rack3")) {
        journey.hdfs.stopDataNode(node.index());
        journey.hdfs.declareDead(node.index());
      }
    }
    for (Map.Entry<String, byte[]> file : contents.entrySet()) {
      assertThat(journey.readDegraded(file.getKey())).as(file.getKey()).isEqualTo(file.getValue());
    }
  }

  /** Stripes with two units on a node, more in a rack than have to be, or any on a leaving node. */
  private List<String> misplaced() throws IOException {
    List<String> misplaced = new ArrayList<>();
    for (long inode : files.keySet()) {
      for (LocatedStripe stripe : journey.stripes(inode)) {
        Set<DataNode> nodes = new HashSet<>();
        Map<String, Integer> inRack = new HashMap<>();
        int units = 0;
        for (StripeUnit unit : stripe.units()) {
          for (Replica replica : unit.located().map(LocatedBlock::live).orElse(List.of())) {
            if (replica.inService()) {
              units++;
              nodes.add(replica.node());
              inRack.merge(replica.node().rack(), 1, Integer::sum);
            }
          }
        }
        int most = inRack.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        if (nodes.size() < units || units < 9 || most > IN_A_RACK) {
          misplaced.add(
              "%s: %d units on %d nodes, %s".formatted(stripe, units, nodes.size(), inRack));
        }
      }
    }
    return misplaced;
  }

  private Map<Integer, Long> dataOnDisk() throws IOException {
    Map<Integer, Long> bytes = new HashMap<>();
    for (EmbeddedNode node : journey.hdfs.dataNodes()) {
      bytes.put(node.index(), 0L);
    }
    for (String path : files.values()) {
      count(journey.file(path).blocks(), bytes);
    }
    return bytes;
  }

  private Map<Integer, Long> parityOnDisk() throws IOException {
    Map<Integer, Long> bytes = new HashMap<>();
    for (long inode : files.keySet()) {
      count(journey.cluster().access().parity().find(inode).orElseThrow().file().blocks(), bytes);
    }
    return bytes;
  }

  private void count(List<LocatedBlock> blocks, Map<Integer, Long> bytes) {
    for (LocatedBlock block : blocks) {
      for (EmbeddedNode node : journey.hdfs.replicasOnDisk(block.block().id())) {
        bytes.merge(node.index(), block.block().length(), Long::sum);
      }
    }
  }

  private static double skew(Map<Integer, Long> bytes) {
    LongSummaryStatistics each =
        bytes.values().stream().mapToLong(Long::longValue).summaryStatistics();
    return each.getMax() / each.getAverage();
  }
}
