// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.group;

import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.erasurecode.ErasureCodec;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.file.Janitor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A random history of small files that share parity. Users move, change, snapshot and delete them,
 * between the rounds of a daemon and in the middle of its steps. DataNodes and daemons die.
 *
 * <p>At no time is a block lost that was safe when the daemon had last looked. Whenever users leave
 * the files alone, the daemon comes to rest and no two parity files say different things of one
 * file. Once there are no snapshots, only the newest generation of each group is left, every stripe
 * is whole and the quarantine is empty.
 */
final class GroupHistory implements AutoCloseable {
  private static final List<String> DIRECTORIES = List.of("/a/", "/b/");
  private static final int FILES = 18;
  private static final int USUAL_REPLICATION = 3;
  private static final int RAISED_REPLICATION = 5;
  private static final int ROUNDS_UNTIL_REST = 25;

  /** Something happens between two steps of the daemon in one of so many. */
  private static final int STEPS_BETWEEN = 60;

  private final long seed;
  private final Random random;
  private final RaidBench bench = new RaidBench();
  private final InMemoryCluster cluster = bench.cluster;
  private final Set<String> paths = new TreeSet<>();
  private final Set<Block> snapshotted = new HashSet<>();
  private final Set<String> open = new TreeSet<>();
  private final Set<String> full = new TreeSet<>();
  private final Map<Long, Set<FileState>> told = new TreeMap<>();
  private final Map<Long, List<String>> last = new TreeMap<>();
  private final List<String> story = new ArrayList<>();
  private Pipelines daemon;
  private Optional<DataNode> away = Optional.empty();
  private int created;
  private int untilHalt = -1;
  private boolean inAStep;
  private boolean quiet;

  /** Stands in for the death of the process. */
  private static final class Halt extends Error {
    private static final long serialVersionUID = 1L;
  }

  private interface Work {
    void run() throws IOException;
  }

  GroupHistory(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
    start();
    for (int i = 0; i < FILES; i++) {
      create();
    }
  }

  /** Lives through so many days of some events each, and sees to it that nothing is left of it. */
  void run(int days) {
    try {
      for (int day = 0; day < days; day++) {
        int events = 2 + random.nextInt(8);
        for (int i = 0; i < events; i++) {
          if (random.nextInt(5) < 2) {
            daemonWorks();
          } else {
            userActs();
          }
        }
        live(this::raidTogether);
        comeToRest();
        if (random.nextInt(3) == 0) {
          deleteSnapshots();
          comeToRest();
        }
      }
      deleteEverything();
    } catch (IOException | RuntimeException e) {
      throw new AssertionError(told(e.toString()), e);
    }
  }

  // The daemon

  private void start() {
    cluster.abandonDrafts();
    bench.startedAt = bench.startedAt.plus(Duration.ofHours(1));
    daemon = bench.daemon((step, subject) -> reached(step.name(), subject));
  }

  private void reached(String step, String subject) {
    if (quiet || inAStep) {
      return;
    }
    if (untilHalt > 0 && --untilHalt == 0) {
      note("the daemon dies at %s of %s".formatted(step, subject));
      throw new Halt();
    }
    if (random.nextInt(STEPS_BETWEEN) == 0) {
      note("at %s of %s:".formatted(step, subject));
      inAStep = true;
      try {
        userActs();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } finally {
        inAStep = false;
      }
    }
  }

  private void daemonWorks() throws IOException {
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> live(this::raidTogether);
      case 4 -> live(this::raidOneAlone);
      case 5 -> live(this::unraidSome);
      case 6 -> live(this::unraidAGroup);
      case 7 -> live(this::checkMemberships);
      case 8 -> live(() -> daemon.janitor().sweep());
      case 9 -> untilHalt = 1 + random.nextInt(40);
      case 10 -> {
        note("a daemon without notes starts");
        bench.memberships.forgetEverything();
        start();
      }
      default -> live(this::round);
    }
  }

  /** Does something as the daemon, which may die at that; the next one starts then. */
  private void live(Work work) throws IOException {
    try {
      work.run();
    } catch (Halt died) {
      untilHalt = -1;
      if (random.nextBoolean()) {
        note("its notes are lost");
        bench.memberships.forgetEverything();
      }
      start();
    } catch (IOException e) {
      if (quiet) {
        throw e;
      }
      note(
          "that failed: %s"
              .formatted(e.getMessage())); // as when a file vanishes in the middle of a step
    }
  }

  private void raidTogether() throws IOException {
    String directory = any(DIRECTORIES);
    List<Long> inodes =
        paths.stream()
            .filter(path -> path.startsWith(directory))
            .map(path -> file(path).inode())
            .toList();
    note("%s is raided".formatted(directory));
    note(
        "  %s"
            .formatted(
                daemon.groupRaider().raid(inodes, RaidBench.RS, 0, RaidProgress.NONE).group()));
  }

  private void raidOneAlone() throws IOException {
    Optional<String> path = anyPath();
    if (path.isPresent()) {
      note("%s is raided alone".formatted(path.get()));
      RaidOutcome unused =
          daemon.raider().raid(file(path.get()).inode(), RaidBench.RS, RaidProgress.NONE);
    }
  }

  private void unraidSome() throws IOException {
    Optional<String> path = anyPath();
    if (path.isPresent()) {
      long inode = file(path.get()).inode();
      note("%s is unraided".formatted(path.get()));
      Optional<GroupId> group = daemon.groupReconciler().groupOf(inode);
      if (group.isEmpty()
          || daemon
              .groupReconciler()
              .unraidMembers(group.get(), List.of(inode))
              .members()
              .isEmpty()) {
        RaidOutcome unused = daemon.unraider().unraid(inode);
      }
    }
  }

  private void unraidAGroup() throws IOException {
    List<Long> groups = inService().stream().filter(GroupId::isGroup).toList();
    if (!groups.isEmpty()) {
      GroupId group = new GroupId(any(groups));
      note("%s is unraided".formatted(group));
      GroupOutcome unused = daemon.groupReconciler().unraid(group);
    }
  }

  private void checkMemberships() throws IOException {
    note("the members of all groups are looked up");
    for (long id : inService()) {
      if (GroupId.isGroup(id)) {
        GroupOutcome unused = daemon.groupReconciler().protect(new GroupId(id));
      }
    }
  }

  /** The daemon attends to all parity, in any order; then the NameNode and the repairer act. */
  private void round() throws IOException {
    told.clear();
    last.clear();
    cluster.replicate();
    daemon.quarantine().forEach(kept -> daemon.quarantine().reviveWhenNeeded(kept));
    List<Long> ids = new ArrayList<>(inService());
    Collections.shuffle(ids, random);
    for (long id : ids) {
      if (GroupId.isGroup(id)) {
        daemon
            .groupReconciler()
            .reconcile(new GroupId(id))
            .members()
            .forEach((inode, outcome) -> tell(id, inode, outcome));
      } else {
        tell(id, id, daemon.fileReconciler().reconcile(id));
      }
    }
    cluster.replicate();
    repair();
  }

  private void tell(long id, long inode, RaidOutcome outcome) {
    last.computeIfAbsent(inode, none -> new ArrayList<>())
        .add("%s says %s: %s".formatted(name(id), outcome.state(), outcome.detail()));
    told.computeIfAbsent(inode, none -> new TreeSet<>()).add(outcome.state());
  }

  private Set<Long> inService() throws IOException {
    Set<Long> ids = new TreeSet<>();
    cluster.forEach(ids::add);
    return ids;
  }

  // Users and nature

  private void userActs() throws IOException {
    Optional<String> path = anyPath();
    int act = path.isEmpty() ? 0 : random.nextInt(27);
    switch (act) {
      case 0, 1, 2 -> create();
      case 3, 4, 5, 6, 7 -> rename(path.get());
      case 8, 9, 10 -> {
        note("%s is appended to".formatted(path.get()));
        cluster.append(path.get(), bytes(1 + random.nextInt(RaidBench.BLOCK)));
      }
      case 11, 12, 13 -> truncate(path.get());
      case 14, 15, 16 -> delete(path.get());
      case 17, 18, 19 -> snapshot(any(DIRECTORIES));
      case 20 -> {
        if (!inAStep) {
          deleteSnapshots();
        }
      }
      case 21 -> setReplication(path.get());
      case 22 -> concat(path.get());
      case 23 -> open(path.get());
      case 24 -> fill(path.get());
      default -> {
        if (!inAStep) {
          loseANode();
        }
      }
    }
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private void create() {
    String path = "%sf%02d".formatted(any(DIRECTORIES), created++);
    boolean twoBlocks = random.nextInt(5) == 0;
    int length = 1 + random.nextInt(RaidBench.BLOCK) + (twoBlocks ? RaidBench.BLOCK : 0);
    note("%s is created, %d bytes".formatted(path, length));
    long unused = cluster.createFile(path, RaidBench.BLOCK, bytes(length), USUAL_REPLICATION);
    paths.add(path);
  }

  private void rename(String path) {
    String to = any(DIRECTORIES) + path.substring(path.lastIndexOf('/') + 1);
    if (!paths.contains(to)) {
      note("%s moves to %s".formatted(path, to));
      cluster.rename(path, to);
      moved(paths, path, to);
      moved(open, path, to);
      moved(full, path, to);
    }
  }

  private static void moved(Set<String> paths, String from, String to) {
    if (paths.remove(from)) {
      paths.add(to);
    }
  }

  private void truncate(String path) {
    long length = file(path).length();
    if (length > 1) {
      long to = random.nextLong(1, length);
      note("%s is truncated from %d to %d".formatted(path, length, to));
      cluster.truncate(path, to);
    }
  }

  private void delete(String path) {
    note("%s is deleted".formatted(path));
    cluster.delete(path);
    forget(path);
  }

  private void forget(String path) {
    paths.remove(path);
    open.remove(path);
    full.remove(path);
  }

  private void snapshot(String directory) {
    note("%s gets a snapshot".formatted(directory));
    for (String path : paths) {
      if (path.startsWith(directory)) {
        cluster.snapshot(path);
        snapshotted.addAll(file(path).contents());
      }
    }
  }

  private void deleteSnapshots() {
    note("the snapshots are deleted");
    cluster.deleteSnapshots();
    snapshotted.clear();
  }

  private void setReplication(String path) throws IOException {
    if (!full.contains(path)) {
      int wanted = random.nextBoolean() ? RAISED_REPLICATION : USUAL_REPLICATION;
      note("%s gets replication %d".formatted(path, wanted));
      cluster.setReplication(file(path).inode(), wanted);
    }
  }

  private void concat(String source) throws IOException {
    String target = anyPath().orElseThrow();
    if (!target.equals(source) && !open.contains(source) && !open.contains(target)) {
      note("%s is concatenated onto %s".formatted(source, target));
      cluster.concat(target, source);
      // As HDFS has it: all blocks of a file have the replication of the file.
      cluster.setReplication(file(target).inode(), file(target).replication());
      forget(source);
    }
  }

  private void open(String path) {
    note("%s is opened for writing".formatted(path));
    cluster.setUnderConstruction(path, true);
    open.add(path);
  }

  private void fill(String path) {
    note("%s is at its quota".formatted(path));
    cluster.setAtQuota(path, true);
    full.add(path);
  }

  /** One node at a time, right after the daemon has looked: then nothing may be lost. */
  private void loseANode() throws IOException {
    if (away.isPresent()) {
      note("%s comes back".formatted(away.get()));
      cluster.revive(away.get());
      away = Optional.empty();
      return;
    }
    quiet = true;
    round();
    round();
    quiet = false;
    DataNode node = cluster.node(random.nextInt(cluster.allNodes().size()));
    note("%s dies".formatted(node));
    cluster.kill(node);
    away = Optional.of(node);
    cluster.replicate();
    daemon.quarantine().forEach(kept -> daemon.quarantine().reviveWhenNeeded(kept));
    repair();
  }

  private LocatedFile file(String path) {
    return cluster.file(path).orElseThrow();
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private Optional<String> anyPath() {
    return paths.isEmpty() ? Optional.empty() : Optional.of(any(List.copyOf(paths)));
  }

  // Repair, judged by arithmetic alone

  /** A stripe: its blocks by unit, and the units that hold what was recorded. */
  private record Stand(Map<Integer, Block> blocks, UnitSet gone, ErasureCodec codec) {}

  private List<Stand> stands() throws IOException {
    List<Stand> stands = new ArrayList<>();
    for (long id : inService()) {
      ParityFile parity = cluster.find(id).orElseThrow();
      Manifest manifest = parity.manifest();
      ErasureCodec codec = Codecs.parse(manifest.codec());
      int k = codec.shape().dataUnits();
      int m = codec.shape().parityUnits();
      for (int index = 0; index < manifest.stripes().size(); index++) {
        Stripe stripe = manifest.stripes().get(index);
        Map<Integer, Block> blocks = new HashMap<>();
        for (int unit = 0; unit < stripe.data().size(); unit++) {
          blocks.put(unit, stripe.data().get(unit).block());
        }
        for (int p = 0; p < m; p++) {
          blocks.put(k + p, parity.file().contents().get(index * m + p));
        }
        UnitSet gone =
            UnitSet.of(
                blocks.entrySet().stream()
                    .filter(unit -> !isLive(unit.getValue()))
                    .mapToInt(Map.Entry::getKey));
        stands.add(new Stand(blocks, gone, codec));
      }
    }
    return stands;
  }

  private boolean isLive(Block block) {
    return cluster.located(block).filter(located -> !located.live().isEmpty()).isPresent();
  }

  /** Delivers every lost block that some stripe can rebuild; what is needed must be among them. */
  private void repair() throws IOException {
    for (Stand stand : stands()) {
      if (stand.codec().furtherLosses(stand.gone()) >= 0) {
        for (Map.Entry<Integer, Block> unit : stand.blocks().entrySet()) {
          boolean lost =
              stand.gone().contains(unit.getKey()) && cluster.located(unit.getValue()).isPresent();
          if (lost) {
            deliver(unit.getValue());
          }
        }
      }
    }
    for (long id : needed()) {
      // What a quota refuses lies where it lies.
      boolean refused = cluster.fileOf(id).filter(full::contains).isPresent();
      if (cluster.liveReplicas(id) == 0 && !refused) {
        throw new AssertionError(told("blk_%d is lost".formatted(id)));
      }
    }
  }

  private void deliver(Block block) throws IOException {
    Set<DataNode> holders = cluster.holders(block.id());
    for (DataNode node : cluster.allNodes()) {
      if (cluster.isUp(node) && !holders.contains(node)) {
        cluster.deliver(block, node, cluster.contentOf(block.id()));
        return;
      }
    }
  }

  /**
   * The blocks of all files of users and of all snapshots. What only a snapshot holds and was
   * appended to since it was raided nobody can protect: HDFS makes no more replicas of it. Then the
   * parity that knows how it began stays.
   */
  private Set<Long> needed() throws IOException {
    Set<Long> needed = new TreeSet<>();
    snapshotted.stream()
        .filter(block -> cluster.located(block).isPresent())
        .forEach(block -> needed.add(block.id()));
    for (Stand stand : stands()) {
      stand.blocks().values().stream()
          .filter(block -> cluster.located(block).isEmpty())
          .forEach(block -> needed.remove(block.id()));
    }
    paths.forEach(path -> file(path).contents().forEach(block -> needed.add(block.id())));
    return needed;
  }

  // What must hold when users leave the files alone

  private void comeToRest() throws IOException {
    note("-- users rest");
    quiet = true;
    untilHalt = -1;
    away.ifPresent(cluster::revive);
    away = Optional.empty();
    open.forEach(path -> cluster.setUnderConstruction(path, false));
    open.clear();
    full.forEach(path -> cluster.setAtQuota(path, false));
    full.clear();
    String before = "";
    String now = "";
    for (int round = 0; round < ROUNDS_UNTIL_REST; round++) {
      round();
      now = picture();
      told.forEach(
          (inode, states) ->
              require(
                  !states.containsAll(Set.of(FileState.LEFT, FileState.RAIDED)),
                  "inode %d is left and raided: %s".formatted(inode, last.get(inode))));
      if (now.equals(before)) {
        Janitor.Swept unused = daemon.janitor().sweep();
        checkAtRest();
        quiet = false;
        return;
      }
      before = now;
    }
    throw new AssertionError(
        told("it does not come to rest:\n%s\nand before:\n%s".formatted(now, before)));
  }

  private String picture() throws IOException {
    StringBuilder picture = new StringBuilder();
    for (long id : inService()) {
      ParityFile parity = cluster.find(id).orElseThrow();
      picture.append(
          "%s %s, leaving %s, members %s%n"
              .formatted(name(id), parity.phase(), parity.leaving(), inodes(parity)));
    }
    paths.forEach(
        path ->
            picture.append(
                "%s inode %d replication %d%n"
                    .formatted(path, file(path).inode(), file(path).replication())));
    return picture.append("told: ").append(told).toString();
  }

  private static String name(long id) {
    return GroupId.isGroup(id) ? new GroupId(id).toString() : "inode " + id;
  }

  private static Set<Long> inodes(ParityFile parity) {
    Set<Long> inodes = new TreeSet<>();
    parity.manifest().members().stream().map(Member::inode).forEach(inodes::add);
    return inodes;
  }

  private void checkAtRest() throws IOException {
    told.forEach(
        (inode, states) ->
            require(
                states.size() == 1 || cluster.file(inode).isEmpty(),
                "inode %d is said to be %s: %s".formatted(inode, states, last.get(inode))));
    checkProtection();
    Set<Long> under = new HashSet<>();
    Map<Long, Long> newest = new TreeMap<>();
    for (long id : inService()) {
      ParityFile parity = cluster.find(id).orElseThrow();
      if (GroupId.isGroup(id)) {
        newest.merge(new GroupId(id).family(), 1L, Long::sum);
      }
      if (snapshotted.isEmpty()) {
        require(
            parity.phase() == ParityPhase.REDUCED,
            "%s waits for ever: %s, %s".formatted(name(id), parity.phase(), waitsFor(id)));
        for (long inode : inodes(parity)) {
          require(under.add(inode), "inode %d is under two parities".formatted(inode));
          require(
              Set.of(FileState.RAIDED).equals(told.get(inode)),
              "inode %d of %s is %s".formatted(inode, name(id), told.get(inode)));
        }
      }
    }
    if (snapshotted.isEmpty()) {
      newest.forEach(
          (family, count) -> require(count == 1, "%d generations of %x".formatted(count, family)));
      for (Stand stand : stands()) {
        require(stand.gone().isEmpty(), "%s is not whole".formatted(stand));
      }
      List<String> kept = new ArrayList<>();
      cluster.forEachQuarantined(parity -> kept.add(parity.file().path()));
      require(kept.isEmpty(), "the quarantine keeps %s".formatted(kept));
    }
  }

  private String waitsFor(long id) throws IOException {
    return GroupId.isGroup(id)
        ? daemon.groupReconciler().reconcile(new GroupId(id)).members().toString()
        : daemon.fileReconciler().reconcile(id).toString();
  }

  /** Every block survives the loss of any one node. */
  private void checkProtection() throws IOException {
    Set<Long> covered = new HashSet<>();
    for (Stand stand : stands()) {
      if (stand.codec().furtherLosses(stand.gone()) >= 1) {
        stand.blocks().values().stream()
            .filter(this::isLive)
            .forEach(block -> covered.add(block.id()));
      }
    }
    for (long id : needed()) {
      int live = cluster.liveReplicas(id);
      require(
          live >= USUAL_REPLICATION || covered.contains(id),
          "blk_%d of %s has %d replicas and no parity"
              .formatted(id, cluster.fileOf(id).orElse("a snapshot"), live));
    }
  }

  /** When all files and snapshots are gone, so is all parity. */
  private void deleteEverything() throws IOException {
    List.copyOf(paths).forEach(this::delete);
    deleteSnapshots();
    comeToRest();
    require(inService().isEmpty(), "parity of deleted files stays: %s".formatted(inService()));
    int blocks = file(RaidBench.PATH).blocks().size();
    require(cluster.blockCount() == blocks, cluster.blockCount() + " blocks are left");
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(told(otherwise));
    }
  }

  private void note(String what) {
    story.add((inAStep ? "  " : "") + what);
  }

  private String told(String what) {
    int from = Math.max(0, story.size() - 150);
    return "seed %d: %s%nwhat happened last:%n%s"
        .formatted(seed, what, String.join("\n", story.subList(from, story.size())));
  }

  @Override
  public void close() {
    bench.close();
  }
}
