// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.simulation;

import io.hdfsraid.blockfixer.detect.CorruptFileList;
import io.hdfsraid.blockfixer.detect.DetachedBlocks;
import io.hdfsraid.blockfixer.placement.BlockMover;
import io.hdfsraid.blockfixer.repair.BlockDelivery;
import io.hdfsraid.blockfixer.repair.Delivery;
import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.BadReplicaReports;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.UnresponsiveNode;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import io.hdfsraid.raidnode.raiding.core.Cluster;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.Spaces;
import io.hdfsraid.raidnode.reheat.ReadLocality;
import io.hdfsraid.raidnode.traffic.NameNodeCalls;
import io.hdfsraid.recency.NamespaceSources;
import io.hdfsraid.recency.listing.FileListing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What one daemon, from its start to its end, sees of a cluster in memory. Nodes may be silent
 * before the NameNode knows that they are dead. When the daemon dies its calls fail, whatever its
 * threads were at. It watches what is delivered.
 */
final class SimulatedHdfs implements Cluster {
  /** Calls of {@link ParityStore} that give a file the time of the daemon's machine. */
  private static final Set<String> STAMPING = Set.of("quarantine", "stampAnew");

  private final InMemoryCluster memory;
  private final Map<DataNode, Instant> silent;
  private final SimulatedClock clock;
  private final Witness witness;
  private final NameNodeCalls calls = new NameNodeCalls();
  private final ClusterAccess access;
  private volatile boolean halted;

  /** The process is no more; nobody but the simulation catches it. */
  static final class Halted extends Error {
    private static final long serialVersionUID = 1L;

    Halted() {
      super("The daemon was halted");
    }
  }

  /** Sees each delivery, from several threads. */
  interface Witness {
    void begins(Block block, DataNode target);

    void ends(Block block, DataNode target);

    /** Right before the DataNode makes these bytes a replica. */
    void delivers(Block block, DataNode target, byte[] bytes);

    /** Right before the NameNode is told that this replica is bad. */
    void reports(Block block, DataNode node);
  }

  /**
   * A daemon's view.
   *
   * @param silent nodes that do not answer though the NameNode may not know it yet, and since when
   *     by the clock of the NameNode, which is right
   */
  SimulatedHdfs(
      InMemoryCluster memory,
      Map<DataNode, Instant> silent,
      SimulatedClock clock,
      Witness witness) {
    this.memory = memory;
    this.silent = silent;
    this.clock = clock;
    this.witness = witness;
    this.access =
        new ClusterAccess(
            "CID-simulation",
            "BP-simulation",
            alive(Namespace.class, heartbeats(memory)),
            alive(DataNodes.class, new Answering()),
            alive(ParityStore.class, stampedByDaemon(memory)),
            alive(BlockHolders.class, this::holders),
            badReplicas(),
            this::requireAlive);
  }

  /** The daemon's process dies: nothing it still tries reaches the cluster. */
  void halt() {
    halted = true;
  }

  private void requireAlive() {
    if (halted) {
      throw new Halted();
    }
  }

  private <T> T alive(Class<T> type, T port) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              requireAlive();
              try {
                return method.invoke(port, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** The namespace, which misses the heartbeats of who is silent. */
  private Namespace heartbeats(Namespace namespace) {
    return (Namespace)
        Proxy.newProxyInstance(
            Namespace.class.getClassLoader(),
            new Class<?>[] {Namespace.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("staleNodes")) {
                return staleNodes((Duration) arguments[0]);
              }
              try {
                return method.invoke(namespace, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Parity in quarantine has the time that the daemon's clock showed. */
  private ParityStore stampedByDaemon(ParityStore store) {
    return (ParityStore)
        Proxy.newProxyInstance(
            ParityStore.class.getClassLoader(),
            new Class<?>[] {ParityStore.class},
            (proxy, method, arguments) -> {
              boolean stamps = STAMPING.contains(method.getName());
              memory.setTime(stamps ? clock.now() : clock.trueTime());
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                memory.setTime(clock.trueTime());
              }
            });
  }

  private List<UnresponsiveNode> staleNodes(Duration silence) {
    boolean inService = true;
    return silent.entrySet().stream()
        .filter(node -> memory.isUp(node.getKey()))
        .filter(node -> !node.getValue().plus(silence).isAfter(clock.trueTime()))
        .map(node -> new UnresponsiveNode(node.getKey(), inService, node.getValue()))
        .toList();
  }

  private void requireAnswer(DataNode node) throws IOException {
    if (silent.containsKey(node)) {
      throw new ConnectException("No answer from " + node);
    }
  }

  private final class Answering implements DataNodes {
    @Override
    public BlockInput open(Block block, Replica replica, long offset, long length)
        throws IOException {
      requireAnswer(replica.node());
      return memory.open(block, replica, offset, length);
    }

    @Override
    public int checksum(Block block, Replica replica) throws IOException {
      requireAnswer(replica.node());
      return memory.checksum(block, replica);
    }
  }

  private Map<Long, BlockHolders.Holder> holders(Collection<Long> blockIds) {
    Map<Long, BlockHolders.Holder> holders = new HashMap<>();
    for (long id : blockIds) {
      if (memory.blockExists(id)) {
        Optional<LocatedFile> file = memory.fileOf(id).flatMap(memory::file);
        holders.put(
            id,
            new BlockHolders.Holder(
                file.map(LocatedFile::path).orElseThrow(),
                file.map(LocatedFile::replication).orElseThrow(),
                memory.liveReplicas(id),
                0));
      }
    }
    return holders;
  }

  @Override
  public ClusterAccess access() {
    return access;
  }

  @Override
  public BlockDelivery delivery() {
    return (block, target, storageType) -> {
      requireAlive();
      requireAnswer(target);
      witness.begins(block, target);
      return new Delivery() {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean open = true;

        @Override
        public void accept(ByteBuffer buffer) {
          requireAlive();
          byte[] copy = new byte[buffer.remaining()];
          buffer.get(copy);
          bytes.writeBytes(copy);
        }

        @Override
        public void finish() throws IOException {
          requireAlive();
          requireAnswer(target);
          witness.delivers(block, target, bytes.toByteArray());
          memory.deliver(block, target, bytes.toByteArray());
        }

        @Override
        public void close() {
          if (open) {
            open = false;
            witness.ends(block, target);
          }
        }
      };
    };
  }

  @Override
  public BlockMover mover() {
    return (block, from, to) -> {
      requireAlive();
      requireAnswer(from.node());
      requireAnswer(to);
      if (!memory.isSound(block.id(), from.node())) {
        throw new IOException("%s: checksum mismatch, says %s".formatted(block, to));
      }
      memory.move(block.id(), from.node(), to);
    };
  }

  @Override
  public BadReplicaReports badReplicas() {
    return (block, replica) -> {
      requireAlive();
      witness.reports(block, replica.node());
      memory.report(block.id(), replica.node());
    };
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
            block -> memory.located(block).ifPresent(located -> found.put(block, located)));
        return found;
      }
    };
  }

  @Override
  public CorruptFileList losses() {
    return () -> {
      requireAlive();
      Map<String, Integer> lost = new HashMap<>();
      for (String path : memory.paths()) {
        int blocks =
            (int)
                memory.file(path).orElseThrow().blocks().stream()
                    .filter(LocatedBlock::isLost)
                    .count();
        if (blocks > 0) {
          lost.put(path, blocks);
        }
      }
      return lost;
    };
  }

  @Override
  public FileListing listing() {
    return (top, file) -> {
      throw new IOException("No policies here, and no listings");
    };
  }

  @Override
  public Spaces spaces() {
    return rule -> new SpaceUsage(0, 0, 0);
  }

  @Override
  public ReadLocality readLocality() {
    return (inode, readers) -> OptionalDouble.empty();
  }

  @Override
  public NamespaceSources sources() {
    return new UnreadNamespace();
  }

  @Override
  public NameNodeCalls calls() {
    return calls;
  }

  @Override
  public void removeRoot() throws IOException {
    throw new IOException("Nobody withdraws here");
  }
}
