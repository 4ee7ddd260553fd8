// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.placement.ParityBytes;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.raidapi.nodes.NodesReport;
import io.hdfsraid.raidapi.nodes.NodesReport.Node;
import io.hdfsraid.raidapi.nodes.NodesReport.State;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.ReplicaFault;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.ScrubRecord.Progress;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.health.DataNodesWatch;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.upkeep.PlacementJob;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodesServiceTest {
  private static final Instant RAIDED = Instant.parse("2029-06-01T00:00:00Z");
  private static final Instant ASKED = Instant.parse("2029-06-08T00:00:00Z");
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2029-06-09T00:00:00Z"), ZoneOffset.UTC);

  @TempDir Path folder;

  private final RaidBench bench = new RaidBench();
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final ParityBytes parityBytes = new ParityBytes();
  private final DataNodesWatch dataNodes = new DataNodesWatch(bench.cluster, CLOCK);
  private Catalog catalog;
  private NodesService service;

  /** The data that each node holds of the one file, as the cluster says. */
  private final Map<DataNode, Long> data = new HashMap<>();

  @BeforeEach
  void raid() throws IOException {
    catalog = Catalog.open(folder, CLOCK);
    service = new NodesService(dataNodes, parityBytes::on, catalog, CLOCK);
    Pipelines daemon = bench.daemon((step, subject) -> {});
    Journal journal = new Journal(catalog, CLOCK, RaidEvents.NONE);
    journal.worked(
        "raid",
        bench.inode,
        daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE),
        "test");
    ReconcileJob reconciler =
        new ReconcileJob(
            catalog,
            daemon.groupReconciler(),
            daemon.fileReconciler(),
            daemon.unraider(),
            new Workers(threads),
            journal,
            CLOCK);
    reconciler.run();
    catalog.scrubs().meet(bench.inode, RAIDED);
    catalog
        .scrubs()
        .update(
            bench.inode,
            known ->
                known.with(
                    ScrubDepth.PRESENCE, Progress.NONE.past(0, false, ASKED).finish(ASKED, ASKED)));
    new PlacementJob(
            catalog,
            reconciler,
            new Workers(threads),
            parityBytes,
            () -> 100,
            pause -> {},
            RaidEvents.NONE,
            CLOCK)
        .run();
    for (LocatedBlock block : bench.cluster.file(bench.inode).orElseThrow().blocks()) {
      for (Replica replica : block.live()) {
        data.merge(replica.node(), block.block().length(), Long::sum);
      }
    }
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    catalog.close();
    bench.close();
  }

  private Node node(DataNode node) throws IOException {
    return service.nodes().nodes().stream()
        .filter(shown -> shown.node().equals(node.address()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void eachNodeShowsWhatItHoldsAndWhenThatWasScrubbed() throws IOException {
    NodesReport report = service.nodes();

    assertThat(report.checked()).isEqualTo(CLOCK.instant());
    assertThat(report.parityCountedAt()).contains(CLOCK.instant());
    assertThat(report.nodes()).hasSize(20);
    assertThat(data).hasSizeGreaterThan(5);
    for (DataNode each : bench.cluster.allNodes()) {
      Node node = node(each);
      assertThat(node.state()).isEqualTo(State.LIVE);
      assertThat(node.raidedBytes()).isEqualTo(data.getOrDefault(each, 0L));
      assertThat(node.parityBytes()).isEqualTo(parityBytes.on(each));
      boolean holds = node.raidedBytes() + node.parityBytes() > 0;
      assertThat(node.oldestAsked()).isEqualTo(Optional.of(ASKED).filter(at -> holds));
      assertThat(node.oldestRead())
          .as("never, since")
          .isEqualTo(Optional.of(RAIDED).filter(at -> holds));
      assertThat(node.badReplicas()).isZero();
    }
    assertThat(report.nodes().stream().mapToLong(Node::raidedBytes).sum())
        .isEqualTo(bench.content.length);
  }

  @Test
  void aDeadNodeShowsWhatItTookAlong() throws IOException {
    DataNode lost = data.keySet().iterator().next();
    bench.cluster.kill(lost);

    NodesReport report = service.nodes();
    assertThat(report.nodes().get(0).node()).as("dead ones first").isEqualTo(lost.address());
    Node node = node(lost);
    assertThat(node.state()).isEqualTo(State.DEAD);
    assertThat(node.lastHeard()).isPresent();
    assertThat(node.usedBytes()).isZero();
    assertThat(node.raidedBytes()).isEqualTo(data.get(lost));
  }

  @Test
  void badReplicasAreCountedWhereTheyAre() throws IOException {
    List<DataNode> nodes = bench.cluster.allNodes();
    fault(7, 0, nodes.get(3));
    fault(7, 1, nodes.get(3));
    fault(9, 0, nodes.get(4));

    assertThat(node(nodes.get(3)).badReplicas()).isEqualTo(2);
    assertThat(node(nodes.get(4)).badReplicas()).isEqualTo(1);
    assertThat(node(nodes.get(5)).badReplicas()).isZero();
  }

  private void fault(long parity, int stripe, DataNode node) {
    ReplicaFault fault = new ReplicaFault(0, new Block(1, 1, 1), node.uuid(), RAIDED, "rot");
    catalog.rotten().update(new StripeKey(parity, stripe), known -> List.of(fault));
  }

  @Test
  void sumsAreThoseOfTheLastLook() throws IOException {
    assertThat(dataNodes.sums()).isEmpty();
    List<DataNode> nodes = bench.cluster.allNodes();
    bench.cluster.kill(nodes.get(0));
    bench.cluster.hush(nodes.get(1));
    bench.cluster.takeOutOfService(nodes.get(2));
    bench.cluster.takeOutOfService(nodes.get(3));

    NodesReport report = service.nodes();

    DataNodesWatch.Sums sums = dataNodes.sums().orElseThrow();
    assertThat(sums.nodes())
        .isEqualTo(
            Map.of(State.DEAD, 1L, State.SILENT, 1L, State.OUT_OF_SERVICE, 2L, State.LIVE, 16L));
    assertThat(sums.checked()).isEqualTo(CLOCK.instant());
    assertThat(sums.used())
        .isEqualTo(report.nodes().stream().mapToLong(Node::usedBytes).sum())
        .isPositive();
    assertThat(sums.remaining())
        .as("what can be written to")
        .isEqualTo(
            report.nodes().stream()
                .filter(node -> node.state() != State.OUT_OF_SERVICE)
                .mapToLong(Node::remainingBytes)
                .sum());
  }
}
