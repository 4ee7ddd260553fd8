// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.journeys;

import io.hdfsraid.blockfixer.placement.MoveStep;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.UnraidStep;
import io.hdfsraid.raidnode.traffic.Tuning;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.Path;

/**
 * A daemon on a real HDFS with a pair of NameNodes, where users act at a step of the daemon's work:
 * inside the step, by the thread that did it. Many cases go side by side, for raiding waits for
 * HDFS most of the time; what happens to the cluster happens to all of them at once.
 *
 * <p>Each case goes through the same stages: it is driven to its step; then everything that the
 * daemon does is repeated until the file is where it should be; what still goes on is ended, and it
 * settles again; a janitor's pass; the file is raided anew; everything is deleted. After each stage
 * the {@link Invariants} must hold.
 */
final class EventBench implements AutoCloseable {
  private static final int DATA_NODES = 9;
  private static final int AT_ONCE = 16;
  private static final int GATHERING_SECONDS = 180;

  final Journey journey;
  private final Invariants invariants;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<Enum<?>, Set<Armed>> armed = new ConcurrentHashMap<>();

  /** What waits for a step; gathered ones wait there for each other. */
  private record Armed(EventCase it, Pattern subject, Optional<Gate> gate) {}

  /** Where cases wait until all have reached their steps, so that something happens to all. */
  private record Gate(CountDownLatch arrived, CountDownLatch open) {
    static Gate of(int cases) {
      return new Gate(new CountDownLatch(cases), new CountDownLatch(1));
    }

    void pass() throws IOException {
      arrived.countDown();
      await(open);
    }

    static void await(CountDownLatch latch) throws IOException {
      try {
        if (!latch.await(GATHERING_SECONDS, TimeUnit.SECONDS)) {
          throw new IOException("Not all cases have reached their steps");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
  }

  EventBench() throws IOException {
    journey =
        new Journey(
            EmbeddedHdfs.builder()
                .dataNodes(DATA_NODES)
                .withNameNodePair()
                // A deletion of a replica whose block was recovered meanwhile goes nowhere; HDFS
                // orders it again after an hour. Much sooner is wrong: on a busy machine the first
                // one is reported late, and the second one can meet a replica that was moved there
                // since, which may be the only one.
                .set("dfs.namenode.excess.redundancy.timeout-sec", "40")
                // A copy ordered of a replica that has another generation by then never comes;
                // HDFS orders no other of that block for five minutes.
                .set("dfs.namenode.reconstruction.pending.timeout-sec", "5"));
    journey.startDaemon(
        this::reached,
        new Policies(List.of(), List.of(), 0),
        // Cases that wait in the middle of a move for all others keep nobody else from moving.
        Journey.settings(Tuning.workers(2, 2, AT_ONCE), AT_ONCE));
    invariants = new Invariants(journey.hdfs, ParitySettings.defaults());
  }

  private void reached(Enum<?> step, String subject) {
    for (Armed waiting : armed.getOrDefault(step, Set.of())) {
      if (waiting.subject().matcher(subject).find() && waiting.it().begin()) {
        armed.get(step).remove(waiting);
        try {
          if (waiting.gate().isPresent()) {
            waiting.gate().get().pass();
          } else {
            waiting.it().happen();
          }
        } catch (IOException | RuntimeException | AssertionError e) {
          waiting.it().fail(e);
        }
      }
    }
  }

  /** Each case tells afterwards whether it has failed. */
  void run(List<EventCase> cases) throws IOException {
    List<EventCase> toFiles = cases.stream().filter(it -> !it.action().toTheCluster()).toList();
    for (int from = 0; from < toFiles.size(); from += AT_ONCE) {
      runTogether(toFiles.subList(from, Math.min(toFiles.size(), from + AT_ONCE)));
    }
    for (UserAction action : UserAction.toClusters()) {
      List<EventCase> all = cases.stream().filter(it -> it.action() == action).toList();
      runTogether(all.stream().filter(it -> !awaitsTheJanitor(it)).toList());
      runTogether(all.stream().filter(EventBench::awaitsTheJanitor).toList());
    }
  }

  /** Reached in a pass of the janitor, which has to come before the cluster is well again. */
  private static boolean awaitsTheJanitor(EventCase it) {
    return it.when() == UnraidStep.PURGED;
  }

  private void runTogether(List<EventCase> cases) throws IOException {
    if (cases.isEmpty()) {
      return;
    }
    List<EventCase> gathered =
        cases.stream().filter(it -> it.action().toTheCluster() && !awaitsTheJanitor(it)).toList();
    Optional<Gate> gate =
        gathered.isEmpty() ? Optional.empty() : Optional.of(Gate.of(gathered.size()));
    List<Future<?>> driven = start(cases, it -> drive(it, gate.filter(g -> gathered.contains(it))));
    if (gate.isPresent()) {
      happenToAll(gathered, gate.get());
    }
    await(driven);
    sweep(); // where those wait to which something is to happen when their parity is purged
    if (cases.get(0).action().toTheCluster()) {
      cases.get(0).action().endForAll(journey);
    }
    await(start(cases, this::settleFirst));
    await(start(cases, this::settleAtLast));
    sweep();
    await(start(cases, it -> eventually(() -> invariants.nothingLeftOver())));
    await(start(cases, this::raidAnew));
    await(start(cases, this::delete));
    sweep();
    await(start(cases, it -> eventually(() -> invariants.nothingLeftOver())));
  }

  private void happenToAll(List<EventCase> gathered, Gate gate) {
    try {
      Gate.await(gate.arrived());
      gathered.get(0).action().happenToAll(journey);
      gathered.forEach(EventCase::happenedToAll);
    } catch (IOException e) {
      gathered.forEach(it -> it.fail(e));
    } finally {
      gate.open().countDown();
    }
  }

  private interface Stage {
    void of(EventCase it) throws IOException;
  }

  /** Cases that have failed are left alone. */
  private List<Future<?>> start(List<EventCase> cases, Stage stage) {
    List<Future<?>> started = new ArrayList<>();
    for (EventCase it : cases) {
      if (it.failure().isEmpty()) {
        started.add(
            threads.submit(
                () -> {
                  try {
                    stage.of(it);
                  } catch (IOException | RuntimeException | AssertionError e) {
                    it.fail(e);
                  }
                }));
      }
    }
    return started;
  }

  private static void await(List<Future<?>> tasks) throws IOException {
    for (Future<?> task : tasks) {
      try {
        task.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      } catch (java.util.concurrent.ExecutionException e) {
        throw new IOException(e);
      }
    }
  }

  /** Users may make a pass fail; the next one comes. */
  private void sweep() {
    attempt(() -> journey.jobs().upkeep().cleanUp().run());
  }

  // To the step

  private void drive(EventCase it, Optional<Gate> gate) throws IOException {
    it.load();
    if (it.when() instanceof RaidStep) {
      arm(it, it.inode(), gate);
      Journey.until(
          () -> {
            goOn(it);
            return it.happened() || it.failure().isPresent();
          },
          () -> it + " to happen: " + journey.record(it.inode()));
      return;
    }
    raid(it.inode());
    if (awaitsTheJanitor(it)) {
      unraid(it);
      arm(it, it.inode(), gate);
      return;
    }
    if (it.when() instanceof UnraidStep) {
      arm(it, it.inode(), gate);
      attempt(() -> journey.jobs().upkeep().reconciler().unraid(it.inode(), "test"));
    } else if (it.when() instanceof MoveStep) {
      crowd(it.inode());
      arm(it, journey.stripes(it.inode()).get(0).parityInode(), gate);
    } else if (gate.isPresent()) {
      gate.get().pass();
    } else {
      it.happen();
    }
    Journey.until(
        () -> {
          if (!it.happened()) {
            reconcile(it);
          }
          return it.happened() || it.failure().isPresent();
        },
        () -> it + " to happen: " + journey.record(it.inode()));
  }

  private void arm(EventCase it, long number, Optional<Gate> gate) {
    Pattern subject = Pattern.compile("(?<!\\d)%d(?!\\d)".formatted(number));
    armed
        .computeIfAbsent(it.when(), step -> ConcurrentHashMap.newKeySet())
        .add(new Armed(it, subject, gate));
  }

  private void unraid(EventCase it) throws IOException {
    journey.jobs().upkeep().reconciler().unraid(it.inode(), "test");
    journey.settle(it.inode(), FileState.LEFT);
  }

  /** Puts a unit beside another one of its stripe, as the NameNode may. */
  private void crowd(long inode) throws IOException {
    LocatedStripe stripe = journey.stripes(inode).get(0);
    List<StripeUnit> units =
        stripe.units().stream().filter(unit -> unit.state() == UnitState.LIVE).toList();
    LocatedBlock moved = units.get(1).located().orElseThrow();
    Replica beside = units.get(0).located().orElseThrow().live().get(0);
    journey.cluster().mover().move(moved.block(), moved.live().get(0), beside.node());
    Journey.until(
        () -> {
          List<Replica> now =
              journey
                  .stripes(inode)
                  .get(0)
                  .unit(units.get(1).unit())
                  .located()
                  .orElseThrow()
                  .live();
          return now.size() == 1 && now.get(0).node().equals(beside.node());
        },
        () -> "%s to be at %s alone".formatted(moved.block(), beside.node()));
  }

  // What the daemon does again and again

  private interface Work {
    void run() throws IOException;
  }

  /** What fails is tried again, as the daemon's jobs do. */
  private static void attempt(Work work) {
    try {
      work.run();
    } catch (IOException e) {
      // It is in the log of the test; what counts is where it ends.
    }
  }

  private void reconcile(EventCase it) {
    attempt(() -> journey.jobs().upkeep().reconciler().reconcile(it.inode(), "test"));
  }

  /** Raids, or takes up what an earlier attempt has left. */
  private void goOn(EventCase it) {
    FileState status =
        journey.record(it.inode()).map(FileRecord::state).orElse(FileState.CANDIDATE);
    switch (status) {
      case COMMITTED, REDUCED, RAIDED, UNRAIDING -> reconcile(it);
      default ->
          attempt(
              () ->
                  journey
                      .jobs()
                      .select()
                      .raider()
                      .raid(it.inode(), EventCase.protection(), "test"));
    }
  }

  // To the end

  /** Until the file is where it can be while what has happened still goes on. */
  private void settleFirst(EventCase it) throws IOException {
    if (!it.happened()) {
      throw new AssertionError("Its step was never reached");
    }
    settle(it, it.action().waitsFor());
  }

  private void settleAtLast(EventCase it) throws IOException {
    it.action().end(it);
    settle(it, Optional.empty());
  }

  private void settle(EventCase it, Optional<Reason> waitsFor) throws IOException {
    Journey.until(
        () -> {
          if (raidingGoesOn(it)) {
            goOn(it);
          } else {
            reconcile(it);
          }
          attempt(() -> it.action().daemonLooks(it));
          return it.action().isMended(it) && settled(it, waitsFor);
        },
        () ->
            "%s to settle: %s, with %s"
                .formatted(it, journey.record(it.inode()), journey.units(it.inode())));
    eventually(() -> requireInvariants(it));
  }

  /** Nothing has happened that would keep the daemon from raiding the file. */
  private static boolean raidingGoesOn(EventCase it) {
    return it.action().effect() == UserAction.Effect.NONE && !(it.when() instanceof UnraidStep);
  }

  private boolean settled(EventCase it, Optional<Reason> waitsFor) throws IOException {
    Optional<FileRecord> record = journey.record(it.inode());
    Optional<Reason> reason = record.flatMap(file -> file.progress().reason());
    boolean hasParity = journey.cluster().access().parity().find(it.inode()).isPresent();
    if (waitsFor.isPresent() && reason.equals(waitsFor)) {
      return true;
    }
    if (raidingGoesOn(it)) {
      return hasParity && is(record, FileState.RAIDED);
    }
    if (it.action().effect() == UserAction.Effect.REPLICATION
        && !(it.when() instanceof UnraidStep)) {
      return is(record, FileState.RAIDED)
          || reason.equals(Optional.of(Reason.REPLICATION_CHANGED))
          || (is(record, FileState.LEFT) && !hasParity);
    }
    return !hasParity;
  }

  private static boolean is(Optional<FileRecord> record, FileState status) {
    return record.map(FileRecord::state).filter(status::equals).isPresent();
  }

  private void requireInvariants(EventCase it) throws IOException {
    for (Map.Entry<String, byte[]> file : it.contents().entrySet()) {
      invariants.readable(file.getKey(), file.getValue());
      invariants.protectedAgainstLoss(
          file.getKey(), file.getValue(), Math.min(3, it.replication()));
    }
    int bystander = journey.file(it.bystander()).replication();
    if (bystander != 3) {
      throw new AssertionError(
          "The replication of %s, which nobody has touched, is %d"
              .formatted(it.bystander(), bystander));
    }
  }

  /** Replicas are copied, deleted and reported while one looks. */
  private static void eventually(Work work) throws IOException {
    List<Throwable> last = new ArrayList<>();
    Journey.until(
        () -> {
          try {
            work.run();
            return true;
          } catch (IOException | AssertionError e) {
            last.clear();
            last.add(e);
            return false;
          }
        },
        () -> "an invariant to hold: " + last);
  }

  /** Whatever has happened, the file can be raided again. */
  private void raidAnew(EventCase it) throws IOException {
    if (it.action().effect() == UserAction.Effect.REPLICATION) {
      return; // left as the user has set it
    }
    for (Map.Entry<String, byte[]> file : it.contents().entrySet()) {
      if (!file.getKey().equals(it.bystander())) {
        raid(journey.file(file.getKey()).inode());
        eventually(() -> requireInvariants(it));
      }
    }
  }

  private void raid(long inode) throws IOException {
    Journey.until(
        () -> {
          FileState status =
              journey.record(inode).map(FileRecord::state).orElse(FileState.CANDIDATE);
          if (status == FileState.COMMITTED || status == FileState.REDUCED) {
            journey.jobs().upkeep().reconciler().reconcile(inode, "test");
          } else if (status != FileState.RAIDED) {
            journey.jobs().select().raider().raid(inode, EventCase.protection(), "test");
          }
          return journey.record(inode).orElseThrow().state() == FileState.RAIDED;
        },
        () -> "inode %d to be raided: %s".formatted(inode, journey.record(inode)));
  }

  private void delete(EventCase it) throws IOException {
    List<Long> inodes = new ArrayList<>(List.of(it.inode()));
    for (String file : it.contents().keySet()) {
      inodes.add(journey.file(file).inode());
    }
    it.fs().delete(new Path(it.directory()), true);
    for (long inode : inodes) {
      Journey.until(
          () -> {
            journey.jobs().upkeep().reconciler().reconcile(inode, "test");
            return journey.cluster().access().parity().find(inode).isEmpty();
          },
          () -> "the parity of inode %d to go: %s".formatted(inode, journey.record(inode)));
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    invariants.close();
    journey.close();
  }
}
