// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.simulation;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.repair.Polling;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.ReaderLocation;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.job.JobListeners;
import io.hdfsraid.raidnode.job.JobSettings;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.repair.RepairSchedule;
import io.hdfsraid.raidnode.repair.StormBreaker;
import io.hdfsraid.raidnode.scrub.ScrubJob;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.raidnode.upkeep.CleanUpJob;
import io.hdfsraid.raidnode.upkeep.VanishedParity;
import io.hdfsraid.recency.RecencyOptions;
import io.hdfsraid.simulation.Truth.Stand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * One history of failures and what the daemon makes of it. Everything follows from the seed, but
 * for the order in which threads come to read.
 *
 * <p>After each thing that happens, and after each turn of the daemon: nothing that can be
 * recovered is called lost; nothing is worse for what the daemon did; nobody rebuilds a block twice
 * at once; what is delivered is what was lost, to the byte; nothing good is reported as bad; what
 * can be repaired is, before long, whatever the clock of the daemon's machine shows.
 */
final class Years implements AutoCloseable {
  static final int NODES = 24;
  private static final int RACKS = 6;
  private static final int BLOCK = 1_024;
  private static final int FILES = 5;
  private static final int SMALL_FILES = 6;
  private static final String BY = "simulation";

  /** After how long, and how many turns of the daemon, what can be repaired must be. */
  private static final Duration LONG = Duration.ofHours(24);

  private static final int MANY_TURNS = 8;

  /** How long parity stays in quarantine, and after how long it must be purged if it is useless. */
  private static final Duration QUARANTINE = Duration.ofDays(1);

  /** The NameNode in memory lists a new replica at once or, if its node is silent, much later. */
  private static final Polling POLLING = new Polling(2, () -> {});

  private static final Duration LONG_USELESS = Duration.ofDays(8);

  /** How often stripes are read, and after how long rot must have been met. */
  private static final Duration DEEP_EVERY = Duration.ofDays(14);

  private static final Duration LONG_UNMET = Duration.ofDays(25);

  private final long seed;
  private final Protection protection;
  private final Path folder;
  private final Random random;
  private final SimulatedClock clock = new SimulatedClock();
  private final InMemoryCluster cluster;
  private final Map<DataNode, Instant> silent = new ConcurrentHashMap<>();
  private final Truth truth;
  private final Failures failures;
  private final PriorityQueue<Happening> happenings =
      new PriorityQueue<>(Comparator.comparing(Happening::at).thenComparingLong(Happening::number));
  private final Map<String, byte[]> files = new TreeMap<>();
  private final Map<String, List<Block>> blocksOf = new HashMap<>();

  /** What each block is meant to hold, by its id. */
  private final Map<Long, byte[]> recorded = new ConcurrentHashMap<>();

  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final Map<Long, DataNode> underDelivery = new ConcurrentHashMap<>();
  private final Map<String, Exposure> exposed = new HashMap<>();
  private final Map<Long, Exposure> useless = new HashMap<>();
  private final Map<String, Exposure> rotten = new HashMap<>();
  private final Set<String> gone = new HashSet<>();
  private final Tally tally = new Tally();
  private final List<String> story = new ArrayList<>();
  private SimulatedHdfs hdfs;
  private Catalog catalog;
  private JobWiring jobs;
  private Instant lastIntegrity = Instant.MIN;
  private Instant lastDay = Instant.MIN;
  private long turns;
  private Instant turnBegan = clock.trueTime();

  /** By how much the daemon's clock was wrong when the turn began. */
  private Duration correction = Duration.ZERO;

  private long numbered;
  private int created;

  /** Steps until the daemon is halted; 0 when it is, negative for never. Threads count it down. */
  private final AtomicInteger untilHalt = new AtomicInteger(-1);

  /** Something that will happen, at a true time. */
  private record Happening(Instant at, long number, String what, Action action) {}

  /** What happens. */
  interface Action {
    void run() throws IOException;
  }

  /** Since which true time something could be done. */
  private record Exposure(Instant since, long turn) {}

  Years(long seed, String codec, Path folder) throws IOException {
    this.seed = seed;
    this.protection = new Protection(codec, 1, 1);
    this.folder = folder;
    this.random = new Random(seed);
    this.cluster = new InMemoryCluster(NODES, RACKS, seed);
    this.truth = new Truth(cluster, silent.keySet());
    this.failures = new Failures(this, random, new Random(~seed));
    startDaemon();
  }

  // What failures are made of

  InMemoryCluster cluster() {
    return cluster;
  }

  Tally tally() {
    return tally;
  }

  void after(Duration time, String what, Action action) {
    happenings.add(new Happening(clock.trueTime().plus(time), numbered++, what, action));
  }

  /** The node does not answer any more; nobody but who asks it knows. */
  void silence(DataNode node) {
    silent.put(node, clock.trueTime());
  }

  void declareDead(DataNode node) {
    if (silent.containsKey(node)) {
      cluster.kill(node);
    }
  }

  void comeBack(DataNode node) {
    silent.remove(node);
    cluster.revive(node);
  }

  boolean isAway(DataNode node) {
    return silent.containsKey(node) || !cluster.isUp(node);
  }

  List<Stand> stands() throws IOException {
    return truth.all();
  }

  List<String> paths() {
    return new ArrayList<>(files.keySet());
  }

  // The daemon

  private void startDaemon() throws IOException {
    cluster.abandonDrafts();
    hdfs = new SimulatedHdfs(cluster, silent, clock, new Witness());
    boolean unused = clock.watch(); // its schedule begins with the time that it finds
    catalog = Catalog.open(folder.resolve("catalog"), clock);
    jobs =
        JobWiring.of(
            hdfs,
            catalog,
            new Policies(List.of(), List.of(), 0),
            new JobSettings(
                "/.raid",
                Tuning.workers(1, 2, 2),
                64 << 20,
                2,
                1_000,
                POLLING,
                Duration.ofSeconds(60),
                3,
                new Pipelines.Limits(64, QUARANTINE),
                Duration.ofHours(1),
                new RepairSchedule(Duration.ofMinutes(15), Duration.ofMinutes(5), 10),
                StormBreaker.Limits.NONE,
                new ScrubJob.Settings(Duration.ofHours(6), DEEP_EVERY, Duration.ofDays(7)),
                new CleanUpJob.History(Duration.ofDays(30), 10_000),
                VanishedParity.Limits.DEFAULT,
                RecencyOptions.listing("/.raid", Optional.empty()),
                new ReaderLocation(Set.of(), Optional.of("/rack0"))),
            new JobListeners(
                new Ears(),
                (step, subject) -> {
                  if (untilHalt.getAndUpdate(steps -> steps > 0 ? steps - 1 : steps) == 1) {
                    hdfs.halt();
                  }
                }),
            clock);
  }

  /** The daemon dies at the so many-th step from now on. */
  void haltAfter(int steps) {
    untilHalt.set(steps);
  }

  /** The daemon dies and another one starts. */
  void restartDaemon() throws IOException {
    restartDaemonAfter(() -> {});
  }

  private void restartDaemonAfter(Action meanwhile) throws IOException {
    untilHalt.set(-1);
    hdfs.halt();
    jobs.close();
    catalog.close();
    underDelivery.clear(); // connections break with the process
    lastIntegrity = Instant.MIN; // as its schedule has it
    meanwhile.run();
    startDaemon();
    tally.count("daemon restarted");
  }

  /** As {@link #restartDaemon}, and its notebook is lost. */
  void restartDaemonWithoutItsNotebook() throws IOException {
    hdfs.halt();
    jobs.close();
    catalog.close();
    try (Stream<Path> tree = Files.walk(folder.resolve("catalog"))) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
    catalog = Catalog.open(folder.resolve("catalog"), clock);
    restartDaemon();
  }

  /** Somebody sets the clock of the daemon's machine, between two turns. */
  void setClock(Duration by) {
    clock.set(by);
    countClockSet(by);
  }

  /** As {@link #setClock}, while the daemon is at work. */
  void setClockAtWork(int looks, Duration by) {
    clock.setAfter(looks, by);
    countClockSet(by);
    tally.count("clock set at work");
  }

  /** As {@link #setClock}, while no daemon runs that could notice. */
  void setClockWithoutDaemon(Duration by) throws IOException {
    restartDaemonAfter(() -> setClock(by));
    tally.count("clock set without a daemon");
  }

  /** Somebody notices that the clock is wrong. */
  void setClockRight() {
    if (!clock.correction().isZero()) {
      setClock(clock.correction());
    }
  }

  private void countClockSet(Duration by) {
    story.add("%s   the clock is set by %s".formatted(clock.trueTime(), by));
    tally.count(by.isNegative() ? "clock set back" : "clock set forward");
  }

  private void pass(Duration time) {
    clock.pass(time);
    cluster.setTime(clock.trueTime());
  }

  /** What a daemon does in a while: each of its jobs that is due. */
  private void turn() throws IOException {
    turns++;
    turnBegan = clock.trueTime();
    correction = clock.correction();
    cluster.replicate();
    check("the NameNode's turn", true);
    if (clock.watch()) {
      catalog.repairs().wakePostponed(); // as its schedule has it
    }
    live(this::jobs);
    check("the daemon's turn", false);
  }

  private void jobs() throws IOException {
    jobs.detection().reportedLosses().run();
    jobs.detection().silentNodes().run();
    if (lastIntegrity.plus(Duration.ofHours(1)).isBefore(clock.trueTime())) {
      lastIntegrity = clock.trueTime();
      jobs.detection().integrity().run();
    }
    jobs.upkeep().reconciler().run();
    if (random.nextInt(8) == 0) {
      twoAtOnce();
    } else {
      jobs.repair().job().run();
    }
    jobs.repair().job().spreadCrowded();
    if (lastDay.plus(Duration.ofDays(1)).isBefore(clock.trueTime())) {
      lastDay = clock.trueTime();
      jobs.upkeep().membershipCheck().run();
      for (ScrubDepth depth : ScrubDepth.values()) {
        jobs.scrub().job(depth).run();
      }
      jobs.upkeep().placementAudit().run();
      jobs.upkeep().cleanUp().run();
    }
  }

  /** Has the daemon do something; it may be halted at that, and another one starts. */
  private void live(Action action) throws IOException {
    try {
      action.run();
    } catch (IOException | RuntimeException | SimulatedHdfs.Halted e) {
      if (untilHalt.get() != 0) {
        throw new AssertionError(told("a round failed: " + e), e);
      }
    }
    if (untilHalt.get() == 0) {
      tally.count("daemon halted in a step");
      restartDaemon();
    }
  }

  /** An operator asks for a repair while the daemon repairs. */
  private void twoAtOnce() throws IOException {
    List<Thread> operators = new ArrayList<>();
    for (RepairState record : ledger()) {
      Thread operator =
          new Thread(
              () -> {
                try {
                  jobs.repair().job().run(record.inode(), "operator", stripe -> {});
                } catch (IOException | RuntimeException | SimulatedHdfs.Halted e) {
                  if (untilHalt.get() != 0) {
                    violations.add("an operator's repair failed: " + e);
                  }
                }
              });
      operator.start();
      operators.add(operator);
    }
    jobs.repair().job().run();
    for (Thread operator : operators) {
      try {
        operator.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
  }

  private List<RepairState> ledger() {
    return catalog.repairs().list(Optional.empty(), 10_000);
  }

  // Files

  /** Loads files and raids them, some alone, some together. */
  void load() throws IOException {
    for (int i = 0; i < FILES; i++) {
      createAndRaid();
    }
    createGroup();
    check("raiding", false);
  }

  private String create(int length) {
    String path = "/cold/%d".formatted(created++);
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    cluster.createFile(path, BLOCK, bytes, 3);
    files.put(path, bytes);
    blocksOf.put(path, cluster.file(path).orElseThrow().contents());
    return path;
  }

  void createAndRaid() throws IOException {
    String path = create(BLOCK * (4 + random.nextInt(16)) + random.nextInt(BLOCK));
    long inode = inode(path);
    live(
        () -> {
          try {
            jobs.select().raider().raid(inode, protection, BY);
          } catch (IOException e) {
            tally.count("raiding failed"); // as when a node falls silent: the file stays as it is
            return;
          }
          settle(List.of(inode));
        });
  }

  private void createGroup() throws IOException {
    List<Long> inodes = new ArrayList<>();
    for (int i = 0; i < SMALL_FILES; i++) {
      inodes.add(inode(create(1 + random.nextInt(2 * BLOCK))));
    }
    jobs.select().raider().raidTogether(inodes, protection, BY);
    settle(inodes);
  }

  private long inode(String path) {
    return cluster.file(path).orElseThrow().inode();
  }

  private void settle(List<Long> inodes) throws IOException {
    for (int look = 0; look < 50; look++) {
      boolean done = true;
      for (long inode : inodes) {
        jobs.upkeep().reconciler().reconcile(inode, BY);
        done &=
            catalog
                .files()
                .find(inode)
                .map(FileRecord::state)
                .filter(FileState.RAIDED::equals)
                .isPresent();
      }
      if (done) {
        remember();
        return;
      }
      cluster.replicate();
      pass(Duration.ofMinutes(1));
    }
    // Nodes may be away: it goes on with the other files, and the jobs attend to it.
    remember();
  }

  /** What all blocks are meant to hold, parity included. */
  private void remember() {
    for (String path : cluster.paths()) {
      byte[] bytes = cluster.contentOf(path);
      int start = 0;
      for (LocatedBlock block : cluster.file(path).orElseThrow().blocks()) {
        int end = start + (int) block.block().length();
        byte[] content = Arrays.copyOfRange(bytes, start, end);
        byte[] before = recorded.putIfAbsent(block.block().id(), content);
        if (before != null && !Arrays.equals(before, content)) {
          violations.add("the bytes of %s of %s have changed".formatted(block.block(), path));
        }
        start = end;
      }
    }
  }

  void delete(String path) {
    cluster.delete(path);
    files.remove(path);
    blocksOf.remove(path);
  }

  // The course of time

  /** Lives through so many days, then lets all failures end and sees everything whole again. */
  void run(int days) throws IOException {
    load();
    failures.begin();
    Instant end = clock.trueTime().plus(Duration.ofDays(days));
    while (!happenings.isEmpty() && happenings.peek().at().isBefore(end)) {
      Happening next = happenings.poll();
      passUntil(next.at());
      story.add("%s %s".formatted(next.at(), next.what()));
      next.action().run();
      check(next.what(), true);
    }
    happenings.clear();
    recover();
  }

  private void passUntil(Instant time) throws IOException {
    Duration pause = Duration.ofMinutes(1);
    while (clock.trueTime().isBefore(time)) {
      Duration left = Duration.between(clock.trueTime(), time);
      if (isQuiet()) {
        pass(left);
        return;
      }
      pass(pause.compareTo(left) < 0 ? pause : left);
      if (oneWaits()) {
        failures.oneWaits();
      }
      turn();
      Duration twice = pause.multipliedBy(3);
      pause = twice.compareTo(Duration.ofHours(12)) < 0 ? twice : Duration.ofHours(12);
    }
  }

  private boolean oneWaits() {
    return ledger().stream()
        .flatMap(record -> record.wakeAt().stream())
        .anyMatch(clock.now()::isBefore);
  }

  /** Nothing to repair by anybody's word, and nobody waited for. */
  private boolean isQuiet() throws IOException {
    return silent.keySet().stream().noneMatch(cluster::isUp)
        && ledger().isEmpty()
        && stands().stream().allMatch(stand -> knownLost(stand) == 0)
        && lastDay.plus(Duration.ofDays(3)).isAfter(clock.trueTime());
  }

  /** Units that are lost by the word of the NameNode: rot that nobody has met does not count. */
  private long knownLost(Stand stand) {
    return stand.blocks().entrySet().stream()
        .filter(unit -> !stand.reachable().contains(unit.getKey()))
        .filter(unit -> cluster.liveReplicas(unit.getValue().id()) == 0)
        .count();
  }

  private void recover() throws IOException {
    cluster.allNodes().forEach(this::comeBack);
    for (int pass = 0; pass < 3; pass++) {
      failures.readEverything();
      for (int i = 0; i < 12; i++) {
        pass(Duration.ofHours(3));
        turn();
      }
    }
    failures.deleteWhatIsGone();
    for (int i = 0; i < 12; i++) {
      pass(Duration.ofHours(13));
      turn();
    }
    for (Stand stand : stands()) {
      if (!stand.lostNow().isEmpty()) {
        throw new AssertionError(told("at the end not whole: " + stand));
      }
    }
    if (!ledger().isEmpty()) {
      throw new AssertionError(told("at the end there is still to repair: " + ledger()));
    }
    check("the end", false);
  }

  // What must always hold

  /**
   * @param byNature whether what happened may have made things worse
   */
  private void check(String when, boolean byNature) throws IOException {
    remember();
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Optional<LocatedFile> state = cluster.file(file.getKey());
      if (state.isEmpty() || !state.get().contents().equals(blocksOf.get(file.getKey()))) {
        violations.add("%s is not the file it was: %s".formatted(file.getKey(), state));
      } else if (!Arrays.equals(file.getValue(), cluster.contentOf(file.getKey()))) {
        violations.add("%s does not hold what was written".formatted(file.getKey()));
      }
    }
    Map<String, Stand> stands = new HashMap<>();
    for (Stand stand : stands()) {
      stands.put(key(stand), stand);
      if (!stand.goneForGood().isEmpty() && gone.add(key(stand))) {
        tally.count("stripe lost by nature");
        if (!byNature) {
          violations.add("the daemon has made it worse: " + stand);
        }
      }
      if (!stand.recoverableNow()) {
        tally.count("stripe unrecoverable for a while");
      }
      if (!byNature) {
        drains(stand);
      }
    }
    exposed.keySet().retainAll(stands.keySet());
    if (!byNature) {
      quarantineDrains();
      rotIsMet(stands.values());
    }
    if (!byNature && clock.correction().equals(correction)) {
      for (RepairState record : ledger()) {
        judges(record, stands.get(key(record.stripe().parityInode(), record.stripe().index())));
      }
    }
    if (!violations.isEmpty()) {
      throw new AssertionError(told("after %s: %s".formatted(when, violations)));
    }
  }

  /** Of a turn in which nobody has set the clock. */
  private void judges(RepairState record, Stand stand) {
    Duration longest =
        record.furtherLosses() <= 0 ? RepairState.LONGEST_AT_RISK : RepairState.LONGEST;
    if (record.wakeAt().filter(clock.now().plus(longest)::isBefore).isPresent()) {
      violations.add("waits for a time that is too far away: " + record);
    }
    boolean called = record.status() == RepairStatus.UNRECOVERABLE || record.furtherLosses() < 0;
    // A node may answer again before its heartbeats were missed: then nobody tells, and the
    // stripe is looked at when its time comes.
    called &= record.wakeAt().filter(turnBegan.minus(correction)::isBefore).isEmpty();
    if (stand != null && called && stand.recoverableNow() && stand.changed().isEmpty()) {
      violations.add("called lost, and is not: %s as %s".formatted(record, stand));
    }
  }

  private void drains(Stand stand) {
    boolean toRepair = knownLost(stand) > 0 && stand.recoverableNow() && stand.changed().isEmpty();
    if (!toRepair) {
      exposed.remove(key(stand));
      return;
    }
    Exposure since = exposed.computeIfAbsent(key(stand), none -> exposedNow());
    if (isOverdue(since, LONG)) {
      violations.add(
          "exposed since %s, and could be repaired: %s; the ledger: %s"
              .formatted(since.since(), stand, ledger()));
    }
  }

  /** Parity of which all data is gone does not stay in quarantine for ever. */
  private void quarantineDrains() throws IOException {
    Set<Long> seen = new HashSet<>();
    cluster.forEachQuarantined(
        parity -> {
          boolean protects =
              parity.manifest().stripes().stream()
                  .flatMap(stripe -> stripe.data().stream())
                  .anyMatch(unit -> cluster.blockExists(unit.block().id()));
          if (!protects) {
            seen.add(parity.file().inode());
            if (isOverdue(
                useless.computeIfAbsent(parity.file().inode(), none -> exposedNow()),
                LONG_USELESS)) {
              violations.add(
                  "in quarantine though all its data is gone: %s, put there at %s"
                      .formatted(parity.file().path(), parity.file().modified()));
            }
          }
        });
    useless.keySet().retainAll(seen);
  }

  /** Scrubs meet the rot of every replica that can be read, though nobody else reads it. */
  private void rotIsMet(Collection<Stand> stands) {
    Set<String> seen = new HashSet<>();
    for (Stand stand : stands) {
      for (Block block : stand.blocks().values()) {
        List<Replica> live = cluster.located(block).map(LocatedBlock::live).orElse(List.of());
        for (Replica replica : live) {
          if (!isAway(replica.node()) && !cluster.isSound(block.id(), replica.node())) {
            String what = "%s on %s".formatted(block, replica.node());
            seen.add(what);
            if (isOverdue(rotten.computeIfAbsent(what, none -> exposedNow()), LONG_UNMET)) {
              violations.add("no scrub has met the rot of %s in %s".formatted(what, stand));
            }
          }
        }
      }
    }
    rotten.keySet().retainAll(seen);
  }

  private Exposure exposedNow() {
    return new Exposure(clock.trueTime(), turns);
  }

  private boolean isOverdue(Exposure since, Duration limit) {
    return since.since().plus(limit).isBefore(clock.trueTime())
        && turns - since.turn() > MANY_TURNS;
  }

  private static String key(Stand stand) {
    return key(stand.parityInode(), stand.index());
  }

  private static String key(long parityInode, int index) {
    return parityInode + "/" + index;
  }

  private String told(String what) {
    int from = Math.max(0, story.size() - 25);
    return "seed %d, %s, at %s (the daemon's clock shows %s): %s%nwhat happened last:%n%s"
        .formatted(
            seed,
            protection.codec(),
            clock.trueTime(),
            clock.now(),
            what,
            String.join("\n", story.subList(from, story.size())));
  }

  /** Sees what the daemon does to DataNodes. */
  private final class Witness implements SimulatedHdfs.Witness {
    @Override
    public void begins(Block block, DataNode target) {
      DataNode other = underDelivery.putIfAbsent(block.id(), target);
      if (other != null) {
        violations.add("%s goes to %s and to %s at once".formatted(block, other, target));
      }
    }

    @Override
    public void ends(Block block, DataNode target) {
      underDelivery.remove(block.id(), target);
    }

    @Override
    public void delivers(Block block, DataNode target, byte[] bytes) {
      byte[] right = recorded.get(block.id());
      if (right != null && !Arrays.equals(right, bytes)) {
        violations.add("%s gets other bytes as %s".formatted(target, block));
      }
    }

    @Override
    public void reports(Block block, DataNode node) {
      if (cluster.isSound(block.id(), node) && truth.answers(node)) {
        violations.add("a good replica is reported: %s on %s".formatted(block, node));
      }
    }
  }

  /** Hears what the jobs say. */
  private final class Ears implements RaidEvents {
    @Override
    public void found(StripeHealth health) {
      if (health.state() == StripeHealth.State.UNRECOVERABLE) {
        tally.count("called unrecoverable");
      }
    }

    @Override
    public void repaired(RepairOutcome outcome, int losses) {
      tally.count(
          outcome instanceof RepairOutcome.Repaired
              ? "repaired, losses " + losses
              : "not repaired: "
                  + (outcome instanceof RepairOutcome.Postponed postponed
                      ? postponed.reason()
                      : "unrecoverable"));
    }
  }

  @Override
  public void close() throws IOException {
    hdfs.halt();
    jobs.close();
    catalog.close();
  }
}
