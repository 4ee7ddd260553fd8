// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.blockfixer.placement.MoveSlots;
import io.hdfsraid.blockfixer.placement.ParityBytes;
import io.hdfsraid.blockfixer.placement.ParityNodes;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.RefusedMoves;
import io.hdfsraid.blockfixer.placement.UnitMover;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.OtherChecksumException;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.LostForGood;
import io.hdfsraid.raidnode.raiding.core.NotedMemberships;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.Reductions;
import io.hdfsraid.raidnode.traffic.Traffic;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.upkeep.VanishedParity;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/**
 * The pipelines on an in-memory cluster of 20 nodes in 5 racks, with one raided-to-be file of 7
 * blocks.
 */
public final class RaidBench implements AutoCloseable {
  public static final Protection RS = new Protection("rs-6-3", 1, 1);
  public static final String PATH = "/warehouse/cold.orc";
  public static final int BLOCK = 4_096;

  /** The replicas that were read in full to encode their blocks. */
  public final Map<Block, Replica> fullReads = new ConcurrentHashMap<>();

  /** Parity whose members were about to be reduced. */
  public final List<ParityFile> reductions = new CopyOnWriteArrayList<>();

  /** Files whose replication we have raised again because their parity was gone. */
  public final Set<Long> undone = ConcurrentHashMap.newKeySet();

  public final InMemoryCluster cluster = new InMemoryCluster(20, 5, 42);
  public final byte[] content = new byte[6 * BLOCK + 1_000];
  public final long inode;

  /** Nodes whose checksums are those of other content. */
  public final Set<DataNode> stale = new HashSet<>();

  /** Nodes that keep checksums of another type. */
  public final Set<DataNode> otherChecksums = new HashSet<>();

  /** Blocks whose bytes change once between the disk of a node and us. */
  public final Set<Block> misread = ConcurrentHashMap.newKeySet();

  /** Replicas that are still listed and on their way out. */
  public final Map<Long, Integer> condemned = new HashMap<>();

  /** How many replicas of each block the NameNode has not heard of since it became active. */
  public int staleReplicas;

  /** How many replicas snapshots ask for, by block. */
  public final Map<Long, Integer> held = new HashMap<>();

  /** Blocks whose holders cannot be told, as when a line break is in the path of one. */
  public final Set<Long> untold = new HashSet<>();

  public final NotedMemberships memberships = new NotedMemberships();

  public boolean refuseMoves;
  public Fence fence = () -> {};

  /** The parity as the next daemon sees it. */
  public ParityStore parityStore = cluster;

  public int maxUnaudited = 64;

  /** When the next daemon starts; its clock stands still. The ids of its groups follow from it. */
  public Instant startedAt = Instant.parse("2029-06-01T00:00:00Z");

  /** Bytes by direction and distance from rack 0. */
  final Map<String, Long> transferred = new ConcurrentHashMap<>();

  final Traffic traffic =
      new Traffic(
          Tuning.workers(1, 1, 1),
          new ReaderLocation(Set.of(), Optional.of("/rack0")),
          (purpose, direction, distance, bytes) ->
              transferred.merge(
                  "%s %s %s".formatted(purpose, direction, distance), bytes, Long::sum));
  private final ExecutorService io = Executors.newCachedThreadPool();

  public RaidBench() {
    new Random(7).nextBytes(content);
    inode = cluster.createFile(PATH, BLOCK, content, 3);
  }

  /** Raises what has lost its parity, on a cluster with room for all. */
  public static VanishedParity vanished(
      ParityStore parity, ReconcileJob reconciler, Catalog catalog) {
    return new VanishedParity(
        parity,
        reconciler,
        catalog,
        rule -> new SpaceUsage(0, 1, 0),
        VanishedParity.Limits.DEFAULT,
        pause -> {},
        Clock.systemUTC());
  }

  /** A daemon that has just started: it remembers nothing. */
  public Pipelines daemon(StepListener steps) {
    Polling atOnce = new Polling(3, () -> {});
    Clock clock = Clock.fixed(startedAt, ZoneOffset.UTC);
    ParityBytes parity = new ParityBytes();
    RefusedMoves refused = new RefusedMoves(clock);
    UnitMover mover =
        new UnitMover(
            (block, from, to) -> {
              if (refuseMoves) {
                throw new IOException("Block is pinned");
              }
              cluster.move(block.id(), from.node(), to);
            },
            fence,
            new StripeClaims(),
            atOnce,
            new MoveSlots(() -> 8, () -> 2),
            refused,
            parity,
            steps);
    return Pipelines.of(
        access(parityStore),
        new Pipelines.Placement(
            new PlacementAudit(parity, refused, new Random(1)), new ParityNodes(parity), mover, io),
        new Pipelines.Encoding(
            Codecs::parse, traffic, RowMemory.UNLIMITED, io, UnaryOperator.identity()),
        new Pipelines.Notebook(memberships, fullReads::putAll, new Reduced()),
        new Pipelines.Limits(maxUnaudited, Duration.ZERO),
        clock,
        steps);
  }

  /** What the pipelines see, with this as the place of parity. */
  public ClusterAccess access(ParityStore parity) {
    return new ClusterAccess(
        "CID-test",
        "BP-test",
        cluster,
        new StaleNodes(),
        parity,
        this::holders,
        (block, replica) -> cluster.report(block.id(), replica.node()),
        () -> fence.pass());
  }

  /** Tells what is lost for good on this cluster. */
  public LostForGood lost() {
    return new LostForGood(access(cluster), new StripeLocator(Codecs::parse), Runnable::run);
  }

  private final class Reduced implements Reductions {
    @Override
    public void begin(ParityFile parity) {
      reductions.add(parity);
    }

    @Override
    public boolean wasUndone(long inode) {
      return undone.contains(inode);
    }
  }

  private Map<Long, BlockHolders.Holder> holders(Collection<Long> blockIds) throws IOException {
    Map<Long, BlockHolders.Holder> holders = new HashMap<>();
    for (long id : blockIds) {
      if (untold.contains(id)) {
        throw new IOException("fsck does not tell who holds blk_" + id);
      }
      if (cluster.blockExists(id)) {
        int own = cluster.fileOf(id).flatMap(cluster::file).map(LocatedFile::replication).orElse(0);
        int expected = Math.max(own, held.getOrDefault(id, 0));
        int live = Math.max(0, cluster.holders(id).size() - condemned.getOrDefault(id, 0));
        String path = cluster.fileOf(id).flatMap(cluster::file).map(LocatedFile::path).orElse(PATH);
        holders.put(id, new BlockHolders.Holder(path, expected, live, staleReplicas));
      }
    }
    return holders;
  }

  private final class StaleNodes implements DataNodes {
    @Override
    public BlockInput open(Block block, Replica replica, long offset, long length)
        throws IOException {
      if (misread.remove(block)) {
        throw new CorruptReplicaException(block, replica.node(), new IOException("a bit flipped"));
      }
      return cluster.open(block, replica, offset, length);
    }

    @Override
    public int checksum(Block block, Replica replica) throws IOException {
      int crc = cluster.checksum(block, replica);
      if (otherChecksums.contains(replica.node())) {
        throw new OtherChecksumException("It has CRC32 of " + block);
      }
      return stale.contains(replica.node()) ? ~crc : crc;
    }
  }

  /** What rounds of the daemon do until nothing changes any more. */
  public RaidOutcome settle(Pipelines daemon) throws IOException {
    RaidOutcome last = daemon.fileReconciler().reconcile(inode);
    for (int round = 0; round < 5; round++) {
      cluster.replicate();
      last = daemon.fileReconciler().reconcile(inode);
    }
    return last;
  }

  @Override
  public void close() {
    io.shutdownNow();
  }
}
