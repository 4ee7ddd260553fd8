package io.hdfsraid.raidnode.raid;

import io.hdfsraid.blockfixer.detect.LossReports;
import io.hdfsraid.blockfixer.placement.BlockMover;
import io.hdfsraid.blockfixer.repair.BadReplicaReports;
import io.hdfsraid.blockfixer.repair.BlockDelivery;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.capacity.Fill;
import io.hdfsraid.raidnode.recency.ListedNamespace;
import io.hdfsraid.raidnode.recency.NamespaceSources;
import io.hdfsraid.raidnode.traffic.NameNodeCalls;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The bench as a cluster that whole rounds work on; nothing is repaired there. */
final class BenchCluster implements Cluster {
  final ListedNamespace namespace = new ListedNamespace();

  /** What HDFS shows at a path, if that is not what was listed; null: nothing. */
  final Map<String, FileFacts> shownNow = new HashMap<>();

  Fill fill = new Fill(0, 0, 0);
  private final RaidBench bench;
  private final NameNodeCalls calls = new NameNodeCalls();

  BenchCluster(RaidBench bench) {
    this.bench = bench;
  }

  @Override
  public ClusterAccess access() {
    return bench.access(bench.cluster);
  }

  @Override
  public BlockDelivery delivery() {
    return (block, target, storageType) -> {
      throw new UnsupportedOperationException();
    };
  }

  @Override
  public BlockMover mover() {
    return (block, from, to) -> bench.cluster.move(block.id(), from.node(), to);
  }

  @Override
  public BadReplicaReports badReplicas() {
    return access().badReplicas();
  }

  @Override
  public LossReports losses() {
    return Map::of;
  }

  @Override
  public Listing listing() {
    return new Listing() {
      @Override
      public long forEach(String top, Consumer<FileFacts> file) {
        return 0;
      }

      @Override
      public Optional<FileFacts> again(FileFacts file) {
        return Optional.ofNullable(shownNow.getOrDefault(file.path(), file));
      }
    };
  }

  @Override
  public NamespaceSources sources() {
    return namespace;
  }

  @Override
  public Spaces spaces() {
    return rule -> fill;
  }

  @Override
  public NameNodeCalls calls() {
    return calls;
  }

  @Override
  public void removeRoot() {}
}
