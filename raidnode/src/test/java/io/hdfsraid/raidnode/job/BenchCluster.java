// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.blockfixer.detect.CorruptFileList;
import io.hdfsraid.blockfixer.detect.DetachedBlocks;
import io.hdfsraid.blockfixer.placement.BlockMover;
import io.hdfsraid.blockfixer.repair.BlockDelivery;
import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.raidnode.raiding.core.Cluster;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FileMarks;
import io.hdfsraid.raidnode.raiding.core.Spaces;
import io.hdfsraid.raidnode.reheat.ReadLocality;
import io.hdfsraid.raidnode.traffic.NameNodeCalls;
import io.hdfsraid.recency.ListedNamespace;
import io.hdfsraid.recency.NamespaceSources;
import io.hdfsraid.recency.listing.FileListing;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;

/** The bench as a cluster that whole rounds work on; nothing is repaired there. */
public final class BenchCluster implements Cluster {
  /** The files that are marked as unraided by hand. */
  public final Set<Long> unraided = new HashSet<>();

  public final ListedNamespace namespace = new ListedNamespace();

  /** What HDFS shows at a path, if that is not what was listed; null: nothing. */
  public final Map<String, FileFacts> shownNow = new HashMap<>();

  public SpaceUsage fill = new SpaceUsage(0, 0, 0);
  private final RaidBench bench;
  private final NameNodeCalls calls = new NameNodeCalls();

  public BenchCluster(RaidBench bench) {
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
  public DetachedBlocks detached() {
    return new DetachedBlocks() {
      @Override
      public Set<Long> existing(Collection<Long> blockIds) throws IOException {
        return access().holders().holders(blockIds).keySet();
      }

      @Override
      public Map<Block, LocatedBlock> locate(Collection<Block> blocks) {
        Map<Block, LocatedBlock> found = new HashMap<>();
        blocks.forEach(
            block -> bench.cluster.located(block).ifPresent(located -> found.put(block, located)));
        return found;
      }
    };
  }

  @Override
  public CorruptFileList losses() {
    return Map::of;
  }

  @Override
  public FileMarks marks() {
    return new FileMarks() {
      @Override
      public void mark(long inode) {
        unraided.add(inode);
      }

      @Override
      public void clear(long inode) {
        unraided.remove(inode);
      }

      @Override
      public boolean isMarked(long inode) {
        return unraided.contains(inode);
      }
    };
  }

  @Override
  public FileListing listing() {
    return new FileListing() {
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
  public ReadLocality readLocality() {
    return (inode, readers) -> OptionalDouble.empty();
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
