// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.DataNodes;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.ManifestFormat;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.namespace.InodeGoneException;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.QuotaRefusedException;
import io.hdfsraid.drfs.namespace.StorageState;
import io.hdfsraid.drfs.namespace.UnresponsiveNode;
import io.hdfsraid.drfs.parity.AbandonedBlocks;
import io.hdfsraid.drfs.parity.Footprint;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.parity.RefusedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * An HDFS in memory: the fake that every test of this product uses. Faults are verbs. The same seed
 * and the same calls give the same placement. Nothing happens by itself: the NameNode copies
 * under-replicated blocks only when {@link #replicate} is called, and learns of rot only by {@link
 * #report}. Safe for concurrent use.
 */
public final class InMemoryCluster implements DataNodes, Namespace, ParityStore {
  private static final long FIRST_INODE = 16_386;
  private static final long FIRST_BLOCK = 1_073_741_825L;
  private static final long FIRST_STAMP = 1_001;
  private static final long NODE_CAPACITY = 1L << 40;
  private static final int PATIENCE_SECONDS = 30;

  final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private final long seed;
  private final List<DataNode> nodes;
  private final Map<DataNode, Instant> dead = new LinkedHashMap<>();
  private final Map<DataNode, Instant> hushed = new LinkedHashMap<>();
  private final Set<DataNode> slow = new HashSet<>();
  private final Set<DataNode> hanging = new HashSet<>();
  private final Set<DataNode> leaving = new HashSet<>();
  private final Map<DataNode, Long> roomLeft = new HashMap<>();
  private final Map<DataNode, String> media = new HashMap<>();
  private final Map<String, StoredFile> files = new TreeMap<>();
  private final Map<Long, StoredFile> inodes = new TreeMap<>();
  private final Map<Long, StoredBlock> blocks = new TreeMap<>();
  private final Set<Long> inSnapshots = new HashSet<>();
  private final Set<Long> atQuota = new HashSet<>();
  private final Set<Long> answersLost = new HashSet<>();
  private final Set<Long> newerManifests = new HashSet<>();
  private final Map<Long, GroupId> hints = new TreeMap<>();
  private final Map<DataNode, Integer> blockedReads = new HashMap<>();
  private final Map<DataNode, Long> bytesRead = new HashMap<>();
  private final InMemoryParity parity = new InMemoryParity(this);
  private long nextInode = FIRST_INODE;
  private long nextBlock = FIRST_BLOCK;
  private long nextStamp = FIRST_STAMP;
  private boolean keepsExcess;
  private long opens;
  private int openInputs;
  private long parityBytesWritten;
  private Instant now = Instant.parse("2029-01-01T00:00:00Z");

  private Fence fence = Fence.OPEN;
  private Runnable whenReplicationIsSet = () -> {};

  /** Nodes 0 to n-1, node i on rack i mod {@code racks}. */
  public InMemoryCluster(int nodes, int racks, long seed) {
    this.seed = seed;
    this.nodes =
        IntStream.range(0, nodes)
            .mapToObj(
                i ->
                    new DataNode(
                        "dn-%d".formatted(i),
                        "10.0.%d.%d:9866".formatted(i / 250, i % 250 + 1),
                        "node%d".formatted(i),
                        "/rack%d".formatted(i % racks)))
            .toList();
  }

  // Files

  /** Creates a file; the NameNode chooses the nodes, on two racks at least. Returns its inode. */
  public long createFile(String path, long blockSize, byte[] bytes, int replication) {
    return locked(
        () -> {
          if (files.containsKey(path)) {
            throw new IllegalArgumentException(path + " already exists");
          }
          StoredFile file = newFile(path, blockSize, replication);
          write(file, bytes);
          return file.inode;
        });
  }

  /** Moves all replicas of a block: it is then exactly on these nodes, and good. */
  public void place(long blockId, DataNode... onto) {
    locked(
        () -> {
          StoredBlock block = block(blockId);
          block.replicas.clear();
          for (DataNode node : onto) {
            block.store(node);
          }
          return null;
        });
  }

  public void rename(String from, String to) {
    locked(
        () -> {
          if (files.containsKey(to)) {
            throw new IllegalArgumentException(to + " already exists");
          }
          move(fileAt(from), to);
          return null;
        });
  }

  public void delete(String path) {
    locked(
        () -> {
          StoredFile file = fileAt(path);
          remove(file);
          file.blocks.forEach(this::release);
          return null;
        });
  }

  /**
   * Appends bytes. A last block that is not full goes on under the same id and a new generation
   * stamp, on the nodes that are up.
   */
  public void append(String path, byte[] bytes) {
    locked(
        () -> {
          StoredFile file = fileAt(path);
          int taken = 0;
          if (!file.blocks.isEmpty()) {
            StoredBlock last = file.blocks.get(file.blocks.size() - 1);
            taken = (int) Math.min(bytes.length, file.blockSize - last.content.length);
            if (taken > 0) {
              byte[] longer = Arrays.copyOf(last.content, last.content.length + taken);
              System.arraycopy(bytes, 0, longer, last.content.length, taken);
              rewrite(last, longer);
            }
          }
          write(file, Arrays.copyOfRange(bytes, taken, bytes.length));
          return null;
        });
  }

  /**
   * Cuts a file; the block in which the cut falls gets a new generation stamp, or, when a snapshot
   * holds it, is copied to a new block.
   */
  public void truncate(String path, long length) {
    locked(
        () -> {
          StoredFile file = fileAt(path);
          List<StoredBlock> before = List.copyOf(file.blocks);
          file.blocks.clear();
          long start = 0;
          for (StoredBlock block : before) {
            int kept = (int) Math.max(0, Math.min(block.content.length, length - start));
            start += block.content.length;
            if (kept == 0) {
              release(block);
            } else if (kept == block.content.length) {
              file.blocks.add(block);
            } else if (inSnapshots.contains(block.id)) {
              addBlock(file, newBlock(), Arrays.copyOf(block.content, kept), List.of());
            } else {
              rewrite(block, Arrays.copyOf(block.content, kept));
              file.blocks.add(block);
            }
          }
          file.modified = now;
          return null;
        });
  }

  /** Moves the blocks of the sources to the end of the target; the sources are gone. */
  public void concat(String target, String... sources) {
    locked(
        () -> {
          StoredFile into = fileAt(target);
          for (String source : sources) {
            StoredFile file = fileAt(source);
            remove(file);
            into.blocks.addAll(file.blocks);
          }
          return null;
        });
  }

  /** A daemon of a newer version has written the manifest of this parity. */
  public void upgradeManifest(long id) {
    locked(() -> newerManifests.add(id));
  }

  /** From now on the cluster stores no manifest with more bytes. */
  public void limitManifests(int bytes) {
    locked(() -> parity.largestManifest = bytes);
  }

  /** Whether the quota of a file's directory refuses it more replicas than it has. */
  public void setAtQuota(String path, boolean full) {
    locked(() -> full ? atQuota.add(fileAt(path).inode) : atQuota.remove(fileAt(path).inode));
  }

  /** From now on the blocks of this file outlive it, as they would in a snapshot. */
  public void snapshot(String path) {
    locked(() -> inSnapshots.addAll(fileAt(path).blocks.stream().map(b -> b.id).toList()));
  }

  /** Blocks that only snapshots held are gone. */
  public void deleteSnapshots() {
    locked(
        () -> {
          Set<Long> held = Set.copyOf(inSnapshots);
          inSnapshots.clear();
          held.stream().filter(id -> fileOf(id).isEmpty()).forEach(blocks::remove);
          return null;
        });
  }

  public void setUnderConstruction(String path, boolean open) {
    locked(() -> fileAt(path).underConstruction = open);
  }

  public void setStriped(String path, boolean striped) {
    locked(() -> fileAt(path).striped = striped);
  }

  public void setEncrypted(String path, boolean encrypted) {
    locked(() -> fileAt(path).encrypted = encrypted);
  }

  public void setPermission(String path, String owner, String group, int mode) {
    locked(
        () -> {
          StoredFile file = fileAt(path);
          file.owner = owner;
          file.group = group;
          file.mode = mode;
          return null;
        });
  }

  /** A client opens the file, of which HDFS keeps the time. */
  public void setAccessed(String path, Instant when) {
    locked(() -> fileAt(path).accessed = when);
  }

  /** Sets what the cluster stamps on files that are written from now on. */
  public void setTime(Instant instant) {
    locked(() -> now = instant);
  }

  /** What the blocks of a file are meant to hold, whatever became of their replicas. */
  public byte[] contentOf(String path) {
    return locked(
        () -> {
          StoredFile file = fileAt(path);
          ByteBuffer whole = ByteBuffer.allocate(Math.toIntExact(file.length()));
          file.blocks.forEach(block -> whole.put(block.content));
          return whole.array();
        });
  }

  /** What a block is meant to hold, also one that only a snapshot holds. */
  public byte[] contentOf(long blockId) {
    return locked(() -> block(blockId).content.clone());
  }

  // Faults

  /** The node dies and the NameNode knows it. What is on its disk stays there. */
  public void kill(DataNode node) {
    locked(() -> dead.putIfAbsent(node, now));
  }

  /** The node dies and the NameNode has not given it up yet: it shows all of it as live. */
  public void hush(DataNode node) {
    locked(() -> hushed.putIfAbsent(node, now));
  }

  /** The node comes back with what was on its disk; replicas that were overtaken are corrupt. */
  public void revive(DataNode node) {
    locked(
        () -> {
          hushed.remove(node);
          hanging.remove(node);
          return dead.remove(node);
        });
  }

  /** The middle of a replica rots, and nobody notices until it is read. */
  public void corrupt(long blockId, DataNode node) {
    corrupt(blockId, node, locked(() -> block(blockId).content.length / 2));
  }

  /** The byte at this offset rots, and with it the 512 bytes that share its checksum. */
  public void corrupt(long blockId, DataNode node, long offset) {
    locked(
        () -> {
          Objects.checkIndex(offset, block(blockId).content.length);
          replica(blockId, node).rottenChunks.set((int) (offset / StoredReplica.CHUNK));
          return null;
        });
  }

  /** A replica is gone from its disk and the NameNode knows it. */
  public void deleteReplica(long blockId, DataNode node) {
    locked(() -> block(blockId).replicas.remove(node));
  }

  /** The NameNode hears that a replica is bad, as by {@code reportBadBlocks}. */
  public void report(long blockId, DataNode node) {
    locked(() -> replica(blockId, node).reportedCorrupt = true);
  }

  /** Reads from this node wait until {@link #release}, or until they are interrupted. */
  public void slow(DataNode node) {
    locked(() -> slow.add(node));
  }

  public void release(DataNode node) {
    locked(
        () -> {
          slow.remove(node);
          changed.signalAll();
          return null;
        });
  }

  /** Waits until this many reads hang on a slow node. */
  public void awaitBlockedReads(DataNode node, int reads) {
    lock.lock();
    try {
      long left = TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (blockedReads.getOrDefault(node, 0) < reads) {
        if (left <= 0) {
          throw new AssertionError(
              "Only %d reads hang on %s, not %d".formatted(blockedReads.get(node), node, reads));
        }
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for reads of " + node, e);
    } finally {
      lock.unlock();
    }
  }

  /** Reads that hang on slow nodes now, all nodes together. */
  public int blockedReads() {
    return locked(() -> blockedReads.values().stream().mapToInt(Integer::intValue).sum());
  }

  /** From now on the NameNode hears of the node, and nobody else does. */
  public void hang(DataNode node) {
    locked(() -> hanging.add(node));
  }

  /** Whether the NameNode waits with excess replicas, as after a failover. */
  public void keepExcess(boolean keep) {
    locked(() -> keepsExcess = keep);
  }

  /** Decommissioning: its replicas can be read, and nothing new is placed there. */
  public void takeOutOfService(DataNode node) {
    locked(() -> leaving.add(node));
  }

  /** From now on the node says that it has this many bytes left, whatever lies on it. */
  public void leaveRoom(DataNode node, long bytes) {
    locked(() -> roomLeft.put(node, bytes));
  }

  /** From now on the one volume of the node is on this medium, and so is all that it holds. */
  public void useMedium(DataNode node, String medium) {
    locked(() -> media.put(node, medium));
  }

  private String medium(DataNode node) {
    return media.getOrDefault(node, "DISK");
  }

  // What the NameNode and DataNodes do

  /**
   * One round of the NameNode: every block with a good replica gets as many as its file wants, and
   * no more. Copying a rotten replica fails, and tells the NameNode that it is rotten.
   */
  public void replicate() {
    locked(
        () -> {
          inodes.values().forEach(this::replicate);
          return null;
        });
  }

  /**
   * A node takes a replica, as by the block protocol. The NameNode then drops known-bad and excess
   * replicas; a block that it does not know is dropped at once.
   *
   * @throws IOException when the node is dead or holds a replica of this block, good or bad
   */
  public void deliver(Block block, DataNode node, byte[] bytes) throws IOException {
    lock.lock();
    try {
      checkUp(node);
      StoredBlock stored = blocks.get(block.id());
      if (stored == null) {
        return;
      }
      if (stored.replicas.containsKey(node)) {
        throw new IOException("%s already has a replica of %s".formatted(node, block));
      }
      stored.replicas.put(node, new StoredReplica(bytes.clone(), block.generationStamp()));
      inodes.values().stream()
          .filter(file -> file.blocks.contains(stored))
          .findFirst()
          .ifPresent(file -> trim(stored, file.replication));
    } finally {
      lock.unlock();
    }
  }

  /** Moves one good replica, as the balancer does. */
  public void move(long blockId, DataNode from, DataNode to) {
    locked(
        () -> {
          StoredBlock block = block(blockId);
          StoredReplica moved = replica(blockId, from);
          block.replicas.remove(from);
          block.replicas.put(to, moved);
          return null;
        });
  }

  /** Whether the NameNode was told that this replica is corrupt; false if it is not there. */
  public boolean isReported(long blockId, DataNode node) {
    return locked(
        () -> {
          StoredReplica replica = block(blockId).replicas.get(node);
          return replica != null && replica.reportedCorrupt;
        });
  }

  /** What {@code fsck -blockId} says: false only when no file and no snapshot has the block. */
  public boolean blockExists(long blockId) {
    return locked(() -> blocks.containsKey(blockId));
  }

  /** The replicas of a block that exists as it was recorded, in whatever file or snapshot. */
  public Optional<LocatedBlock> located(Block block) {
    return locked(
        () ->
            Optional.ofNullable(blocks.get(block.id()))
                .filter(stored -> stored.block().equals(block))
                .map(this::located));
  }

  /** The path of the file, if there is one, that has this block now. */
  public Optional<String> fileOf(long blockId) {
    return locked(
        () ->
            inodes.values().stream()
                .filter(file -> file.blocks.stream().anyMatch(block -> block.id == blockId))
                .map(file -> file.path)
                .findFirst());
  }

  /** How many replicas the NameNode holds to be good, on nodes that are up. */
  public int liveReplicas(long blockId) {
    return locked(() -> (int) liveReplicas(block(blockId)));
  }

  /** Whether what is on the disk of this node, up or not, is what the block is meant to hold. */
  public boolean isSound(long blockId, DataNode node) {
    return locked(
        () -> {
          StoredBlock block = block(blockId);
          StoredReplica replica = block.replicas.get(node);
          return replica != null
              && block.isGood(replica)
              && !replica.isRotten()
              && Arrays.equals(replica.content, block.content);
        });
  }

  /** All files, those of the product included. */
  public List<String> paths() {
    return locked(() -> List.copyOf(files.keySet()));
  }

  public boolean isUp(DataNode node) {
    return locked(() -> !dead.containsKey(node));
  }

  /** How many blocks any file or snapshot holds. */
  public int blockCount() {
    return locked(blocks::size);
  }

  /** The nodes, up or not, on whose disks there is anything under this block id. */
  public Set<DataNode> holders(long blockId) {
    return locked(() -> new LinkedHashSet<>(block(blockId).replicas.keySet()));
  }

  // Counts

  public DataNode node(int index) {
    return nodes.get(index);
  }

  public List<DataNode> allNodes() {
    return nodes;
  }

  public long bytesRead(DataNode node) {
    return locked(() -> bytesRead.getOrDefault(node, 0L));
  }

  public long bytesRead() {
    return locked(() -> bytesRead.values().stream().mapToLong(Long::longValue).sum());
  }

  /** How often a replica was opened. */
  public long opens() {
    return locked(() -> opens);
  }

  /** How many inputs are open now. */
  public int openInputs() {
    return locked(() -> openInputs);
  }

  public long parityBytesWritten() {
    return locked(() -> parityBytesWritten);
  }

  public void resetCounts() {
    locked(
        () -> {
          bytesRead.clear();
          opens = 0;
          parityBytesWritten = 0;
          return null;
        });
  }

  // DataNodes

  @Override
  public BlockInput open(Block block, Replica replica, long offset, long length)
      throws IOException {
    Objects.checkFromIndexSize(offset, length, block.length());
    lock.lock();
    try {
      opens++;
      readable(block, replica.node(), offset + length);
      openInputs++;
      return new Input(block, replica.node(), offset, offset + length);
    } catch (IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("Not inside " + block, e);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int checksum(Block block, Replica replica) throws IOException {
    lock.lock();
    try {
      StoredReplica stored = readable(block, replica.node(), block.length());
      CRC32C crc = new CRC32C();
      crc.update(stored.content, 0, (int) block.length());
      return (int) crc.getValue();
    } finally {
      lock.unlock();
    }
  }

  private StoredReplica readable(Block block, DataNode node, long end) throws IOException {
    checkUp(node);
    StoredBlock stored = blocks.get(block.id());
    StoredReplica replica = stored == null ? null : stored.replicas.get(node);
    if (replica == null || replica.generationStamp < block.generationStamp()) {
      throw new IOException("%s has no replica of %s".formatted(node, block));
    }
    if (replica.content.length < end) {
      throw new IOException(
          "%s has %d bytes of %s, not %d".formatted(node, replica.content.length, block, end));
    }
    return replica;
  }

  private void checkUp(DataNode node) throws IOException {
    if (dead.containsKey(node) || hushed.containsKey(node) || hanging.contains(node)) {
      throw new IOException("Connection refused by %s".formatted(node));
    }
  }

  private final class Input implements BlockInput {
    private final Block block;
    private final DataNode node;
    private final long end;
    private long position;
    private boolean open = true;

    Input(Block block, DataNode node, long position, long end) {
      this.block = block;
      this.node = node;
      this.position = position;
      this.end = end;
    }

    @Override
    public void readFully(ByteBuffer target) throws IOException {
      lock.lock();
      try {
        awaitSpeed();
        long until = position + target.remaining();
        if (!open || until > end) {
          throw new IOException("%s is closed or at its end".formatted(block));
        }
        StoredReplica replica = readable(block, node, until);
        long good = replica.readableUntil(position, until);
        target.put(replica.content, (int) position, (int) (good - position));
        bytesRead.merge(node, good - position, Long::sum);
        position = good;
        if (good < until) {
          throw new CorruptReplicaException(block, node, null);
        }
      } finally {
        lock.unlock();
      }
    }

    private void awaitSpeed() throws IOException {
      blockedReads.merge(node, 1, Integer::sum);
      changed.signalAll();
      try {
        while (slow.contains(node)) {
          changed.await();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        InterruptedIOException interrupted =
            new InterruptedIOException("Interrupted while reading from " + node);
        interrupted.initCause(e);
        throw interrupted;
      } finally {
        blockedReads.merge(node, -1, Integer::sum);
      }
    }

    @Override
    public void close() {
      locked(
          () -> {
            openInputs -= open ? 1 : 0;
            open = false;
            return null;
          });
    }
  }

  // Namespace

  @Override
  public Optional<LocatedFile> file(String path) {
    return locked(() -> Optional.ofNullable(files.get(path)).map(file -> state(file, path)));
  }

  @Override
  public Optional<LocatedFile> file(long inode) {
    return locked(
        () ->
            Optional.ofNullable(inodes.get(inode))
                .map(file -> state(file, "/.reserved/.inodes/" + inode)));
  }

  @Override
  public void setReplication(long inode, int replication) throws IOException {
    lock.lock();
    try {
      StoredFile file = inodes.get(inode);
      if (file == null) {
        throw new InodeGoneException(inode);
      }
      if (replication < file.replication) {
        fence.recheck();
      } else {
        fence.recheckForRaise();
      }
      if (atQuota.contains(inode) && replication > file.replication) {
        throw new QuotaRefusedException("inode %d is at its quota".formatted(inode), null);
      }
      setReplication(file, replication);
      whenReplicationIsSet.run();
      if (answersLost.remove(inode)) {
        throw new IOException("The answer for inode %d was lost".formatted(inode));
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean undoReduction(long inode, int lowered, int former) throws InterruptedIOException {
    requireNotInterrupted();
    return locked(
        () -> {
          StoredFile file = inodes.get(inode);
          boolean isLowered = file != null && file.replication == lowered;
          if (isLowered) {
            setReplication(file, former);
          }
          return isLowered;
        });
  }

  /** Throws for an interrupted thread, as Hadoop's client does. */
  private static void requireNotInterrupted() throws InterruptedIOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("Call interrupted");
    }
  }

  /** Does this each time when a caller has set a replication. */
  public void whenReplicationIsSet(Runnable action) {
    whenReplicationIsSet = action;
  }

  /** Sets the fence that is checked before replication is set; there is none before. */
  public void fencedBy(Fence checked) {
    fence = checked;
  }

  /** The next change of its replication is carried out, but the daemon does not hear of it. */
  public void loseNextAnswer(long inode) {
    locked(() -> answersLost.add(inode));
  }

  void setReplication(StoredFile file, int replication) {
    file.replication = replication;
    replicate(file);
    file.blocks.forEach(block -> trim(block, replication));
  }

  @Override
  public List<NodeState> nodes() {
    return locked(
        () ->
            nodes.stream()
                .filter(node -> !dead.containsKey(node))
                .map(
                    node -> {
                      long used = used(node);
                      long left = roomLeft.getOrDefault(node, NODE_CAPACITY - used);
                      return new NodeState(
                          node,
                          !leaving.contains(node),
                          left,
                          used,
                          List.of(new StorageState("DS-" + node.uuid(), medium(node), left, used)));
                    })
                .toList());
  }

  /** Those that were killed, as of when the time was what it is here. */
  @Override
  public List<UnresponsiveNode> deadNodes() {
    return locked(
        () ->
            dead.entrySet().stream()
                .map(
                    entry ->
                        new UnresponsiveNode(
                            entry.getKey(), !leaving.contains(entry.getKey()), entry.getValue()))
                .toList());
  }

  /** Those that were hushed, for however short a time. */
  @Override
  public List<UnresponsiveNode> staleNodes(Duration silence) {
    return locked(
        () ->
            hushed.entrySet().stream()
                .filter(entry -> !dead.containsKey(entry.getKey()))
                .map(
                    entry ->
                        new UnresponsiveNode(
                            entry.getKey(), !leaving.contains(entry.getKey()), entry.getValue()))
                .toList());
  }

  private long used(DataNode node) {
    return blocks.values().stream()
        .map(block -> block.replicas.get(node))
        .filter(Objects::nonNull)
        .mapToLong(replica -> replica.content.length)
        .sum();
  }

  LocatedFile state(StoredFile file, String path) {
    return new LocatedFile(
        path,
        file.inode,
        file.length(),
        file.blockSize,
        file.replication,
        file.modified,
        file.accessed,
        file.owner,
        file.group,
        file.mode,
        file.underConstruction,
        file.striped,
        file.encrypted,
        0,
        file.blocks.stream().map(this::located).toList());
  }

  private LocatedBlock located(StoredBlock block) {
    List<Replica> live = new ArrayList<>();
    List<Replica> corrupt = new ArrayList<>();
    block.replicas.forEach(
        (node, stored) -> {
          if (!dead.containsKey(node)) {
            (block.isGood(stored) ? live : corrupt)
                .add(new Replica(node, medium(node), !leaving.contains(node)));
          }
        });
    return new LocatedBlock(block.block(), live, live.isEmpty() ? corrupt : List.of());
  }

  // The NameNode's bookkeeping; all of it under the lock

  StoredFile newFile(String path, long blockSize, int replication) {
    StoredFile file = new StoredFile(nextInode++, path, blockSize, replication, now);
    files.put(path, file);
    inodes.put(file.inode, file);
    return file;
  }

  void touch(StoredFile file) {
    file.modified = now;
  }

  void move(StoredFile file, String to) {
    files.remove(file.path);
    file.path = to;
    files.put(to, file);
  }

  void remove(StoredFile file) {
    files.remove(file.path);
    inodes.remove(file.inode);
  }

  void release(StoredBlock block) {
    if (!inSnapshots.contains(block.id)) {
      blocks.remove(block.id);
    }
  }

  Optional<StoredFile> inode(long inode) {
    return Optional.ofNullable(inodes.get(inode));
  }

  private void write(StoredFile file, byte[] bytes) {
    for (int from = 0; from < bytes.length; from += (int) file.blockSize) {
      int to = (int) Math.min(bytes.length, from + file.blockSize);
      addBlock(file, newBlock(), Arrays.copyOfRange(bytes, from, to), List.of());
    }
    file.modified = now;
  }

  StoredBlock newBlock() {
    return new StoredBlock(nextBlock++, nextStamp++, new byte[0]);
  }

  void addBlock(StoredFile file, StoredBlock block, byte[] content, Collection<DataNode> favoured) {
    block.content = content;
    blocks.put(block.id, block);
    file.blocks.add(block);
    favoured.stream().filter(this::takesReplicas).forEach(block::store);
    place(block, file.replication);
  }

  private void rewrite(StoredBlock block, byte[] content) {
    Set<DataNode> up = new LinkedHashSet<>(block.replicas.keySet());
    up.removeIf(node -> dead.containsKey(node) || !block.isGood(block.replicas.get(node)));
    block.generationStamp = nextStamp++;
    block.content = content;
    up.forEach(block::store);
  }

  private boolean takesReplicas(DataNode node) {
    return !dead.containsKey(node) && !leaving.contains(node);
  }

  private long liveReplicas(StoredBlock block) {
    return block.replicas.entrySet().stream()
        .filter(entry -> !dead.containsKey(entry.getKey()) && block.isGood(entry.getValue()))
        .count();
  }

  /** Adds replicas on nodes of its own choice until there are enough, on two racks if it can. */
  private void place(StoredBlock block, int replication) {
    List<DataNode> candidates = new ArrayList<>(nodes);
    Collections.shuffle(candidates, random(block));
    candidates.removeIf(node -> !takesReplicas(node) || block.replicas.containsKey(node));
    while (liveReplicas(block) < replication && !candidates.isEmpty()) {
      Set<String> racks = new HashSet<>();
      block.replicas.keySet().forEach(node -> racks.add(node.rack()));
      DataNode chosen =
          candidates.stream()
              .filter(node -> racks.size() != 1 || !racks.contains(node.rack()))
              .findFirst()
              .orElse(candidates.get(0));
      candidates.remove(chosen);
      block.store(chosen);
    }
  }

  private void replicate(StoredFile file) {
    for (StoredBlock block : file.blocks) {
      if (liveReplicas(block) < file.replication) {
        block.replicas.forEach(
            (node, replica) -> {
              if (!dead.containsKey(node) && replica.isRotten()) {
                replica.reportedCorrupt = true;
              }
            });
        if (liveReplicas(block) > 0) {
          place(block, file.replication);
        }
      }
      trim(block, file.replication);
    }
  }

  /** With enough good replicas, known-bad ones go; of too many, any go: also the only unrotten. */
  private void trim(StoredBlock block, int replication) {
    if (liveReplicas(block) < replication || keepsExcess) {
      return;
    }
    block
        .replicas
        .entrySet()
        .removeIf(entry -> !dead.containsKey(entry.getKey()) && !block.isGood(entry.getValue()));
    List<DataNode> victims = new ArrayList<>(block.replicas.keySet());
    Collections.shuffle(victims, random(block));
    victims.removeIf(dead::containsKey);
    // As HDFS does: first where it has not heard of for a while.
    victims.sort(Comparator.comparing(node -> !hushed.containsKey(node)));
    for (DataNode victim : victims) {
      if (liveReplicas(block) > replication) {
        block.replicas.remove(victim);
      }
    }
  }

  /** Depends on seed and block alone, so that the order of concurrent calls does not matter. */
  private Random random(StoredBlock block) {
    return new Random(seed * 31 + block.id * 1_000_003);
  }

  private StoredFile fileAt(String path) {
    StoredFile file = files.get(path);
    if (file == null) {
      throw new IllegalArgumentException("There is no file " + path);
    }
    return file;
  }

  private StoredBlock block(long blockId) {
    StoredBlock block = blocks.get(blockId);
    if (block == null) {
      throw new IllegalArgumentException("There is no block " + blockId);
    }
    return block;
  }

  private StoredReplica replica(long blockId, DataNode node) {
    StoredReplica replica = block(blockId).replicas.get(node);
    if (replica == null) {
      throw new IllegalArgumentException("%s has no replica of blk_%d".formatted(node, blockId));
    }
    return replica;
  }

  void countParity(long bytes) {
    parityBytesWritten += bytes;
  }

  <T> T locked(Action<T> action) {
    lock.lock();
    try {
      return action.run();
    } finally {
      lock.unlock();
    }
  }

  /** Something done under the lock. */
  @FunctionalInterface
  interface Action<T> {
    T run();
  }

  // ParityStore

  @Override
  public void prepare() {}

  @Override
  public Optional<ParityFile> find(long inode) throws IOException {
    if (locked(() -> newerManifests.contains(inode))) {
      byte[] next = {(byte) 2};
      throw new IllegalStateException(
          "Read a manifest of the next format: " + ManifestFormat.decode(next));
    }
    return parity.find(inode);
  }

  @Override
  public void forEach(Consumer<Long> inode) throws IOException {
    parity.forEach(inode);
  }

  @Override
  public void mark(long inode, ParityPhase phase) throws FileNotFoundException {
    parity.mark(inode, phase);
  }

  @Override
  public ParityDraft draft(long inode) {
    return parity.draft(inode);
  }

  @Override
  public void refreshAccess(long inode) {
    // Nobody is kept from anything here.
  }

  @Override
  public Map<Long, String> groupKeys(Collection<Long> wanted) {
    return locked(
        () -> {
          Map<Long, String> groupKeys = new HashMap<>();
          for (long inode : wanted) {
            inode(inode)
                .ifPresent(
                    file ->
                        groupKeys.put(
                            inode,
                            "%s %s %s %o"
                                .formatted(
                                    file.path.substring(0, file.path.lastIndexOf('/')),
                                    file.owner,
                                    file.group,
                                    file.mode)));
          }
          return groupKeys;
        });
  }

  @Override
  public void hint(long inode, GroupId group) {
    locked(() -> inodes.containsKey(inode) ? hints.put(inode, group) : null);
  }

  @Override
  public void unhint(long inode, GroupId group) {
    locked(() -> hints.remove(inode, group));
  }

  @Override
  public Optional<GroupId> hintOf(long inode) {
    return locked(() -> Optional.ofNullable(hints.get(inode)));
  }

  @Override
  public void release(GroupId group, Collection<Long> members) throws FileNotFoundException {
    parity.release(group.value(), members);
  }

  @Override
  public void abandon(long id, AbandonedBlocks blocks) throws FileNotFoundException {
    parity.abandon(id, blocks);
  }

  @Override
  public boolean quarantine(ParityFile file) {
    return parity.quarantine(file);
  }

  @Override
  public void forEachQuarantined(Consumer<ParityFile> quarantined) throws IOException {
    parity.forEachQuarantined(quarantined);
  }

  @Override
  public List<ParityFile> quarantined(long inode) {
    return parity.quarantined(inode);
  }

  @Override
  public int sweepDirectories(Instant unchangedSince) {
    return 0; // there are none here
  }

  @Override
  public Footprint footprint() {
    return parity.footprint();
  }

  @Override
  public void removeDirectories() throws RefusedException {
    parity.removeDirectories();
  }

  @Override
  public boolean removeRoot() {
    return !parity.footprint().root();
  }

  @Override
  public long idOf(ParityFile quarantined) {
    return InMemoryParity.idOf(quarantined);
  }

  @Override
  public boolean restore(ParityFile quarantined) {
    return parity.restore(quarantined);
  }

  @Override
  public void stampAnew(ParityFile quarantined) {
    parity.stampAnew(quarantined);
  }

  @Override
  public void purge(ParityFile quarantined) {
    parity.purge(quarantined);
  }

  @Override
  public int sweepDrafts() {
    return parity.sweepDrafts();
  }

  /** Somebody deletes the root, and with it all parity and all drafts. */
  public void deleteParity() {
    parity.deleteAll();
  }

  /**
   * Makes a unit of committed parity wrong from the start: it holds other bytes than its data
   * demands, and the manifest records their checksum.
   */
  public void falsifyParity(long id, int stripe, int unit) {
    parity.falsify(id, stripe, unit);
  }

  /** The process that wrote drafts dies: what it left is nobody's. */
  public void abandonDrafts() {
    parity.abandonDrafts();
  }
}
