// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.history;

import io.hdfsraid.blockfixer.detect.BlockLookup;
import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.placement.MoveSlots;
import io.hdfsraid.blockfixer.placement.ParityBytes;
import io.hdfsraid.blockfixer.placement.ParityNodes;
import io.hdfsraid.blockfixer.placement.PlacementAudit;
import io.hdfsraid.blockfixer.placement.RefusedMoves;
import io.hdfsraid.blockfixer.placement.UnitMover;
import io.hdfsraid.blockfixer.plan.RepairPlan;
import io.hdfsraid.blockfixer.plan.RepairPlanner;
import io.hdfsraid.blockfixer.plan.TargetSelector;
import io.hdfsraid.blockfixer.repair.BlockDelivery;
import io.hdfsraid.blockfixer.repair.Delivery;
import io.hdfsraid.blockfixer.repair.LocalRepairEngine;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.blockfixer.repair.RepairLimits;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.blockfixer.repair.StripeClaims;
import io.hdfsraid.blockfixer.repair.StripeRepairer;
import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.BlockInput;
import io.hdfsraid.drfs.block.CorruptReplicaException;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.RowMemory;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.drfs.stripe.StripeRebuilder;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.ReadCost;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.BlockHolders;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.raiding.core.FullReads;
import io.hdfsraid.raidnode.raiding.core.Memberships;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.group.GroupOutcome;
import io.hdfsraid.raidnode.traffic.Traffic;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.function.UnaryOperator;

/** The pipelines on an in-memory cluster, all on one thread: the deterministic simulation. */
final class MemoryWorld implements World {
  private static final int NODES = 12;
  private static final int RACKS = 4;
  private static final int BLOCK = 1_024;
  private static final int PATIENCE = 40;
  private static final int USUAL_REPLICATION = 3;

  /** When everything in quarantine is due. */
  private static final Instant LATE = Instant.parse("2029-06-01T00:00:00Z");

  /** A block whose replicas have all turned out to be bad just now may still be listed as live. */
  private static final Set<UnitState> READABLE = EnumSet.of(UnitState.LOST, UnitState.LIVE);

  private final InMemoryCluster cluster;
  private final ExecutorService direct = new DirectExecutor();
  private final StripeLocator locator = new StripeLocator(Codecs::parse);
  private final StripeRebuilder rebuilder;

  /** Blocks of each file in the snapshot, as long as they were then. */
  private final Map<String, List<Block>> snapshot = new TreeMap<>();

  private final long seed;
  private StepListener steps = StepListener.NONE;
  private int daemons;
  private boolean wrongParity;
  private boolean rootAway;
  private Duration clockOff = Duration.ZERO;

  /** Parity blocks that were wrong when they were recorded. */
  private final Set<Long> falsified = new HashSet<>();

  /** What the catalog knows: the files that may be reduced, and the replication they had. */
  private final Map<Long, Integer> reduced = new TreeMap<>();

  private final ParityStore store;
  private Notebook notebook = new Notebook();
  private ClusterAccess access;
  private Pipelines pipelines;
  private IntegrityCheck check;
  private RepairPlanner planner;
  private StripeRepairer repairer;

  MemoryWorld(long seed) {
    this.seed = seed;
    this.cluster = new InMemoryCluster(NODES, RACKS, seed);
    this.store = belowTheRoot(ParityStore.class, cluster);
    this.rebuilder = new StripeRebuilder(cluster, direct, LocatedBlock::live, RowMemory.UNLIMITED);
    restartDaemon();
  }

  @Override
  public int blockSize() {
    return BLOCK;
  }

  @Override
  public int readsPerEvent() {
    return Integer.MAX_VALUE;
  }

  @Override
  public int nodes() {
    return NODES;
  }

  @Override
  public void create(String path, byte[] bytes, int replication) throws IOException {
    if (cluster.file(path).isPresent()) {
      cluster.delete(path);
    }
    cluster.createFile(path, BLOCK, bytes, replication);
  }

  @Override
  public void append(String path, byte[] bytes) {
    cluster.append(path, bytes);
  }

  @Override
  public void appendAndStayOpen(String path, byte[] bytes) {
    cluster.append(path, bytes);
    cluster.setUnderConstruction(path, true);
  }

  @Override
  public void closeFile(String path) {
    cluster.setUnderConstruction(path, false);
  }

  @Override
  public void truncate(String path, int length) {
    cluster.truncate(path, length);
  }

  @Override
  public void rename(String from, String to) {
    if (cluster.file(to).isPresent()) {
      cluster.delete(to);
    }
    cluster.rename(from, to);
  }

  @Override
  public void delete(String path) {
    cluster.delete(path);
  }

  @Override
  public void concat(String target, String source) {
    cluster.concat(target, source);
  }

  @Override
  public void setReplication(String path, int replication) throws IOException {
    cluster.setReplication(cluster.file(path).orElseThrow().inode(), replication);
  }

  @Override
  public void snapshot() throws IOException {
    for (String path : cluster.paths()) {
      if (!path.startsWith("/.raid/")) {
        snapshot.put(path, cluster.file(path).orElseThrow().contents());
        cluster.snapshot(path);
      }
    }
  }

  @Override
  public void deleteSnapshot() {
    snapshot.clear();
    cluster.deleteSnapshots();
  }

  @Override
  public byte[] readInSnapshot(String path) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (Block block : snapshot.get(path)) {
      bytes.writeBytes(replicaOnDisk(block));
    }
    return bytes.toByteArray();
  }

  private byte[] replicaOnDisk(Block block) throws IOException {
    for (DataNode node : cluster.holders(block.id())) {
      if (cluster.isSound(block.id(), node) && isUp(node)) {
        byte[] bytes = new byte[(int) block.length()];
        try (BlockInput input =
            cluster.open(block, new Replica(node, "DISK", true), 0, block.length())) {
          input.readFully(ByteBuffer.wrap(bytes));
        }
        return bytes;
      }
    }
    throw new IOException("No node has a sound replica of " + block);
  }

  @Override
  public byte[] read(String path) throws IOException {
    return read(path, true);
  }

  @Override
  public byte[] readPlain(String path) throws IOException {
    return read(path, false);
  }

  // The root of the parity

  /** The same, as long as the root is in its place. */
  private <T> T belowTheRoot(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              boolean asksHdfs = List.of(method.getExceptionTypes()).contains(IOException.class);
              if (rootAway && asksHdfs && !method.getName().equals("close")) {
                throw new IOException("The root of the parity was moved away");
              }
              try {
                Object result = method.invoke(target, arguments);
                return result instanceof ParityDraft draft
                    ? belowTheRoot(ParityDraft.class, draft)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @Override
  public void moveRoot() {
    rootAway = true;
  }

  @Override
  public void returnRoot() {
    rootAway = false;
  }

  @Override
  public boolean isRootAway() {
    return rootAway;
  }

  @Override
  public void deleteRoot() {
    cluster.deleteParity();
  }

  private void requireRoot() throws IOException {
    if (rootAway) {
      throw new IOException("The root of the parity was moved away");
    }
  }

  @Override
  public void setClockOff(Duration difference) {
    clockOff = difference;
  }

  @Override
  public boolean falsify(Block parity) {
    try {
      for (long id : parityIds()) {
        ParityFile file = cluster.find(id).orElseThrow();
        int at = file.file().contents().indexOf(parity);
        if (at >= 0) {
          int units = file.manifest().stripes().get(0).parityCrcs().size();
          cluster.falsifyParity(id, at / units, at % units);
          return falsified.add(parity.id());
        }
      }
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean hasFalseParity(String path) throws IOException {
    long inode = cluster.file(path).orElseThrow().inode();
    for (long id : parityIds()) {
      ParityFile parity = cluster.find(id).orElseThrow();
      boolean its =
          parity.manifest().members().stream().anyMatch(member -> member.inode() == inode);
      if (its
          && parity.file().contents().stream().anyMatch(block -> falsified.contains(block.id()))) {
        return true;
      }
    }
    return false;
  }

  private byte[] read(String path, boolean throughLosses) throws IOException {
    LocatedFile file =
        cluster.file(path).orElseThrow(() -> new FileNotFoundException("There is no " + path));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (LocatedBlock block : file.blocks()) {
      Optional<byte[]> plain = readReplica(block);
      if (plain.isEmpty() && !throughLosses) {
        throw new IOException("No replica of %s of %s can be read".formatted(block, path));
      }
      bytes.writeBytes(plain.isPresent() ? plain.get() : rebuild(file, block.block()));
    }
    return bytes.toByteArray();
  }

  /** As HDFS's client: one replica after another, and what is rotten is reported. */
  private Optional<byte[]> readReplica(LocatedBlock block) {
    for (Replica replica : block.live()) {
      byte[] bytes = new byte[(int) block.block().length()];
      try (BlockInput input = cluster.open(block.block(), replica, 0, bytes.length)) {
        input.readFully(ByteBuffer.wrap(bytes));
        return Optional.of(bytes);
      } catch (CorruptReplicaException e) {
        cluster.report(block.block().id(), replica.node());
      } catch (IOException e) {
        // The next replica.
      }
    }
    return Optional.empty();
  }

  /** From whichever parity can: the file's own, or that of a group or of its successor. */
  private byte[] rebuild(LocatedFile file, Block block) throws IOException {
    IOException failure = new IOException("%s of %s is lost".formatted(block, file.path()));
    for (long id : parityIds()) {
      ParityFile parity = cluster.find(id).orElseThrow();
      Map<Long, LocatedFile> members = new HashMap<>();
      for (Member member : parity.manifest().members()) {
        cluster.file(member.inode()).ifPresent(now -> members.put(member.inode(), now));
      }
      if (members.containsKey(file.inode())) {
        for (LocatedStripe stripe : locator.locate(parity, members)) {
          try {
            Optional<byte[]> rebuilt = rebuild(stripe, block);
            if (rebuilt.isPresent()) {
              return rebuilt.get();
            }
          } catch (IOException e) {
            failure.addSuppressed(e);
          }
        }
      }
    }
    throw failure;
  }

  private Optional<byte[]> rebuild(LocatedStripe stripe, Block block) throws IOException {
    for (StripeUnit unit : stripe.units()) {
      boolean wanted =
          !stripe.codec().shape().isParity(unit.unit())
              && READABLE.contains(unit.state())
              && unit.located().orElseThrow().block().equals(block);
      if (wanted) {
        ByteBuffer bytes = ByteBuffer.allocate((int) block.length());
        rebuilder.read(stripe, unit.unit(), 0, bytes, ReadCost.UNIFORM);
        return Optional.of(bytes.array());
      }
    }
    return Optional.empty();
  }

  private List<Long> parityIds() throws IOException {
    List<Long> ids = new ArrayList<>();
    store.forEach(ids::add);
    return ids;
  }

  @Override
  public void stop(int node) {
    cluster.kill(cluster.node(node));
  }

  @Override
  public void start(int node) {
    cluster.revive(cluster.node(node));
  }

  @Override
  public boolean isUp(int node) {
    return isUp(cluster.node(node));
  }

  private boolean isUp(DataNode node) {
    return cluster.isUp(node);
  }

  @Override
  public void deleteReplica(Block block, int node) {
    cluster.deleteReplica(block.id(), cluster.node(node));
  }

  @Override
  public void rot(Block block, int node) {
    cluster.corrupt(block.id(), cluster.node(node));
  }

  @Override
  public void look() {
    // It always does.
  }

  @Override
  public List<Copy> copies(Block block, int crc) {
    return cluster.holders(block.id()).stream()
        .map(
            node ->
                new Copy(
                    cluster.allNodes().indexOf(node),
                    cluster.isSound(block.id(), node) && !falsified.contains(block.id())))
        .toList();
  }

  @Override
  public void timePasses() {
    cluster.replicate();
  }

  @Override
  public boolean calm() {
    return true; // the NameNode of this cluster leaves nothing for later
  }

  @Override
  public int patience() {
    return PATIENCE;
  }

  @Override
  public ClusterAccess access() {
    return access;
  }

  @Override
  public void raid(long inode, Protection protection) throws IOException {
    raiseIfItsParityIsGone(inode);
    note(inode, pipelines.raider().raid(inode, protection, RaidProgress.NONE));
  }

  /**
   * As the catalog does: a file that is left has no parity any more. That there is none says
   * nothing about its replicas.
   */
  private void note(long inode, RaidOutcome outcome) {
    if (outcome.state() == FileState.LEFT && !outcome.equals(RaidOutcome.WITHOUT_PARITY)) {
      reduced.remove(inode);
    }
  }

  private void note(GroupOutcome outcome) {
    outcome.members().forEach(this::note);
  }

  @Override
  public void raidTogether(List<Long> inodes, Protection protection) throws IOException {
    for (long inode : inodes) {
      raiseIfItsParityIsGone(inode);
    }
    note(pipelines.groupRaider().raid(inodes, protection, 0, RaidProgress.NONE));
  }

  @Override
  public void unraid(long inode) throws IOException {
    Optional<GroupId> group = pipelines.groupReconciler().groupOf(inode);
    boolean released = false;
    if (group.isPresent()) {
      GroupOutcome outcome = pipelines.groupReconciler().unraidMembers(group.get(), List.of(inode));
      note(outcome);
      released = !outcome.members().isEmpty();
    }
    if (!released) {
      note(inode, pipelines.unraider().unraid(inode));
    }
  }

  @Override
  public void round() throws IOException {
    for (long id : parityIds()) {
      reconcile(id);
      Optional<ParityFile> parity = store.find(id);
      if (parity.isPresent()) {
        for (StripeHealth health : check.check(parity.get())) {
          repair(id, parity.get(), health);
        }
      }
    }
    raiseWhatLostItsParity();
  }

  /** As VanishedParity does. */
  private void raiseWhatLostItsParity() throws IOException {
    for (long inode : List.copyOf(reduced.keySet())) {
      raiseIfItsParityIsGone(inode);
    }
  }

  private void raiseIfItsParityIsGone(long inode) throws IOException {
    long id = notebook.groupOf(inode).map(GroupId::value).orElse(inode);
    if (reduced.containsKey(inode) && store.find(id).isEmpty()) {
      note(
          inode,
          pipelines.fileReconciler().unprotected(inode, reduced.get(inode), "Its parity is gone"));
    }
  }

  private void reconcile(long id) throws IOException {
    if (GroupId.isGroup(id)) {
      note(pipelines.groupReconciler().reconcile(new GroupId(id)));
    } else {
      note(id, pipelines.fileReconciler().reconcile(id));
    }
  }

  private void repair(long id, ParityFile parity, StripeHealth health) throws IOException {
    if (health.state() == StripeHealth.State.DEGRADED) {
      Optional<RepairPlan> plan = planner.plan(health).plan();
      if (plan.isPresent()) {
        RepairOutcome outcome = repairer.repair(plan.get(), new BlockLookup(cluster, parity));
        if (outcome instanceof RepairOutcome.WrongParity) {
          unraidParity(id);
        }
      }
    }
  }

  private void unraidParity(long id) throws IOException {
    if (GroupId.isGroup(id)) {
      note(pipelines.groupReconciler().unraid(new GroupId(id)));
    } else {
      note(id, pipelines.unraider().unraid(id));
    }
  }

  @Override
  public void sweep() throws IOException {
    pipelines.janitor().sweep();
  }

  @Override
  public void listen(StepListener listener) {
    steps = listener;
  }

  @Override
  public void restartDaemon() {
    cluster.abandonDrafts();
    Polling atOnce = new Polling(3, cluster::replicate);
    StripeClaims claims = new StripeClaims();
    TargetSelector targets = new TargetSelector(new Random(seed));
    ParityBytes parityBytes = new ParityBytes();
    RefusedMoves refused = new RefusedMoves(() -> LATE);
    StepListener current = (step, subject) -> steps.reached(step, subject);
    access =
        new ClusterAccess(
            "CID-history",
            "BP-history",
            cluster,
            cluster,
            store,
            this::holders,
            (block, replica) -> cluster.report(block.id(), replica.node()),
            this::requireRoot);
    notebook = new Notebook();
    pipelines =
        Pipelines.of(
            access,
            new Pipelines.Placement(
                new PlacementAudit(parityBytes, refused, new Random(seed)),
                new ParityNodes(parityBytes),
                new UnitMover(
                    (block, from, to) -> cluster.move(block.id(), from.node(), to),
                    access.fence(),
                    claims,
                    atOnce,
                    new MoveSlots(() -> 8, () -> 8),
                    refused,
                    parityBytes,
                    current),
                direct),
            new Pipelines.Encoding(
                this::codec,
                new Traffic(
                    Tuning.workers(1, 1, 1),
                    new ReaderLocation(Set.of(), Optional.of("/rack0")),
                    (purpose, direction, distance, bytes) -> {}),
                RowMemory.UNLIMITED,
                direct,
                UnaryOperator.identity()),
            new Pipelines.Notebook(notebook, FullReads.NONE, this::reducing),
            new Pipelines.Limits(64, Duration.ZERO),
            new ShiftedClock(LATE.plusSeconds(daemons++)),
            current);
    check = new IntegrityCheck(cluster, locator, cluster, direct);
    planner = new RepairPlanner(cluster, targets);
    repairer =
        new StripeRepairer(
            new LocalRepairEngine(rebuilder, delivery()),
            planner,
            cluster,
            access.badReplicas(),
            access.fence(),
            claims,
            new RepairLimits(3, atOnce, atOnce),
            current);
  }

  @Override
  public boolean computeWrongParity(boolean wrong) {
    wrongParity = wrong;
    return true;
  }

  private void reducing(ParityFile parity) {
    for (Member member : parity.manifest().members()) {
      reduced.putIfAbsent(member.inode(), parity.manifest().originalReplication());
    }
  }

  /** Stands still, and is off as the machine's clock is. */
  private final class ShiftedClock extends Clock {
    private final Instant right;

    ShiftedClock(Instant right) {
      this.right = right;
    }

    @Override
    public Instant instant() {
      return right.plus(clockOff);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("This clock knows one zone only");
    }
  }

  /** As it is in bad memory, or as a compiler got it wrong, while parity is to be wrong. */
  private ErasureCodec codec(String name) {
    ErasureCodec codec = Codecs.parse(name);
    return (ErasureCodec)
        Proxy.newProxyInstance(
            ErasureCodec.class.getClassLoader(),
            new Class<?>[] {ErasureCodec.class},
            (proxy, method, arguments) -> {
              Object result = method.invoke(codec, arguments);
              if (wrongParity && method.getName().equals("encode")) {
                ByteBuffer parity = ((ByteBuffer[]) arguments[1])[0];
                for (int at = parity.position(); at < parity.limit(); at++) {
                  parity.put(at, (byte) (parity.get(at) ^ 1));
                }
              }
              return result;
            });
  }

  private Map<Long, BlockHolders.Holder> holders(Collection<Long> blockIds) {
    Map<Long, BlockHolders.Holder> holders = new HashMap<>();
    for (long id : blockIds) {
      if (cluster.blockExists(id)) {
        Optional<LocatedFile> file = cluster.fileOf(id).flatMap(cluster::file);
        holders.put(
            id,
            new BlockHolders.Holder(
                file.map(LocatedFile::path).orElse("/only/in/a/snapshot"),
                file.map(LocatedFile::replication).orElse(USUAL_REPLICATION),
                cluster.liveReplicas(id),
                0));
      }
    }
    return holders;
  }

  private BlockDelivery delivery() {
    return (block, target, storageType) ->
        new Delivery() {
          private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

          @Override
          public void accept(ByteBuffer buffer) {
            byte[] copy = new byte[buffer.remaining()];
            buffer.get(copy);
            bytes.writeBytes(copy);
          }

          @Override
          public void finish() throws IOException {
            cluster.deliver(block, target, bytes.toByteArray());
          }

          @Override
          public void close() {
            // What was not finished is nowhere.
          }
        };
  }

  /** What a daemon's catalog remembers of groups; lost when it dies. */
  private static final class Notebook implements Memberships {
    private final Map<Long, GroupId> groups = new TreeMap<>();

    @Override
    public Optional<GroupId> groupOf(long inode) {
      return Optional.ofNullable(groups.get(inode));
    }

    @Override
    public List<Long> membersOf(GroupId group) {
      return groups.keySet().stream().filter(inode -> groups.get(inode).equals(group)).toList();
    }

    @Override
    public void joined(GroupId group, Collection<Long> members) {
      members.forEach(inode -> groups.put(inode, group));
    }

    @Override
    public void left(GroupId group, Collection<Long> members) {
      members.forEach(inode -> groups.remove(inode, group));
    }
  }

  /** Blocks that any file or snapshot holds, ours included. */
  int blocks() {
    return cluster.blockCount();
  }

  @Override
  public void close() {
    direct.shutdown();
  }
}
