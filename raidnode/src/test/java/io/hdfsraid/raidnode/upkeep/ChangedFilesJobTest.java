// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import io.hdfsraid.raidnode.worker.Workers;
import io.hdfsraid.recency.index.FileChanges;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangedFilesJobTest {
  private static final Instant NOW = Instant.parse("2029-06-01T00:00:00Z");

  @TempDir Path folder;

  private final RaidBench bench = new RaidBench();
  private final ExecutorService threads = Executors.newFixedThreadPool(2);

  /** The ids of parity whose access rights were refreshed. */
  private final List<Long> refreshed = new ArrayList<>();

  private final Pipelines daemon = daemon();
  private boolean unreachable;
  private boolean rootMoved;

  /** Happens once, in the audit of a file. */
  private Runnable audited = () -> {};

  private Instant now = NOW;
  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return now;
        }

        @Override
        public java.time.ZoneId getZone() {
          return java.time.ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
          return this;
        }
      };
  private Catalog catalog;
  private Journal journal;
  private ReconcileJob reconciler;
  private ReportedChanges reported;
  private ChangedFilesJob job;

  private Pipelines daemon() {
    bench.parityStore = noting();
    return bench.daemon(
        (step, subject) -> {
          if (step == RaidStep.SPREAD) {
            Runnable now = audited;
            audited = () -> {};
            now.run();
          }
        });
  }

  @BeforeEach
  void raid() throws IOException {
    Clock system = Clock.systemUTC();
    catalog = Catalog.open(folder, system);
    journal = new Journal(catalog, system, RaidEvents.NONE);
    reconciler =
        new ReconcileJob(
            catalog,
            daemon.groupReconciler(),
            daemon.fileReconciler(),
            daemon.unraider(),
            new Workers(threads),
            journal,
            system);
    raid(bench.inode);
    job = started();
  }

  private void raid(long inode) throws IOException {
    LocatedFile file = bench.cluster.file(inode).orElseThrow();
    journal.wanted(
        FileFacts.of(file.path(), inode, file.length(), RaidBench.BLOCK, 3, file.modified()),
        "test");
    journal.worked(
        "raid", inode, daemon.raider().raid(inode, RaidBench.RS, RaidProgress.NONE), "test");
    int unused = reconciler.run();
    assertThat(state(inode)).isEqualTo(FileState.RAIDED);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    catalog.close();
    bench.close();
  }

  /** As of a daemon that has just started. */
  private ChangedFilesJob started() {
    reported = new ReportedChanges(catalog, clock);
    return new ChangedFilesJob(
        catalog,
        reported,
        bench.cluster,
        noting(),
        reconciler,
        new Workers(threads),
        KnownTrouble.NONE,
        clock);
  }

  private ParityStore noting() {
    return (ParityStore)
        Proxy.newProxyInstance(
            ParityStore.class.getClassLoader(),
            new Class<?>[] {ParityStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("refreshAccess")) {
                if (unreachable) {
                  throw new IOException("The NameNode does not answer");
                }
                synchronized (refreshed) {
                  refreshed.add((Long) arguments[0]);
                }
              }
              if (rootMoved && method.getName().equals("find")) {
                throw new IOException("The root was moved");
              }
              try {
                return method.invoke(bench.cluster, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private FileState state(long inode) {
    return catalog.files().find(inode).orElseThrow().state();
  }

  private int replication(long inode) throws IOException {
    return bench.cluster.file(inode).map(LocatedFile::replication).orElseThrow();
  }

  private static FileChanges changed(Long... inodes) {
    return new FileChanges(Set.of(inodes), Map.of(), Set.of(), Set.of());
  }

  @Test
  void whatIsAppendedToARaidedFileIsReplicatedAtOnceAlsoByTheNextDaemon() throws IOException {
    long other = bench.cluster.createFile("/not/raided", RaidBench.BLOCK, new byte[10], 3);
    bench.cluster.append(RaidBench.PATH, new byte[10]);
    bench.cluster.setUnderConstruction(RaidBench.PATH, true);
    reported.changed(changed(bench.inode, other));

    assertThat(started().run()).as("only the raided one").isOne();

    assertThat(replication(bench.inode)).isEqualTo(3);
    assertThat(state(bench.inode)).isEqualTo(FileState.UNRAIDING);
    assertThat(started().run()).as("nothing is left to look at").isZero();
  }

  @Test
  void aFileThatTheIndexDoesNotKnowYetIsFoundByItsPath() throws IOException {
    bench.cluster.append(RaidBench.PATH, new byte[10]);
    reported.changed(
        new FileChanges(Set.of(), Map.of(), Set.of(RaidBench.PATH, "/gone/by/now"), Set.of()));
    assertThat(job.run()).isOne();
    assertThat(replication(bench.inode)).isEqualTo(3);
    assertThat(job.run()).isZero();
  }

  @Test
  void parityFollowsThePermissionsOfItsFile() throws IOException {
    reported.changed(changed(bench.inode));
    assertThat(job.run()).isOne();
    assertThat(refreshed).containsExactly(bench.inode);
    assertThat(state(bench.inode)).isEqualTo(FileState.RAIDED);
  }

  /** A directory above was made private, say: its files need no other look. */
  @Test
  void parityFollowsTheDirectoriesAboveItsFileAlsoByTheNextDaemon() throws IOException {
    long other = bench.cluster.createFile("/not/raided", RaidBench.BLOCK, new byte[10], 3);
    bench.cluster.append(RaidBench.PATH, new byte[10]);
    reported.changed(new FileChanges(Set.of(), Map.of(), Set.of(), Set.of(bench.inode, other)));
    unreachable = true;
    assertThat(job.run()).isOne();
    assertThat(refreshed).isEmpty();

    unreachable = false;
    now = NOW.plus(Duration.ofMinutes(1));
    assertThat(started().run()).as("again").isOne();
    assertThat(refreshed).containsExactly(bench.inode);
    assertThat(state(bench.inode)).as("it is not reconciled").isEqualTo(FileState.RAIDED);
    assertThat(started().run()).as("nothing is left").isZero();
  }

  @Test
  void ourOwnReductionIsNoChangeAndThatOfAUserIs() throws IOException {
    reported.changed(new FileChanges(Set.of(), Map.of(bench.inode, 1), Set.of(), Set.of()));
    assertThat(job.run()).isZero();
    bench.cluster.setReplication(bench.inode, 2);
    reported.changed(new FileChanges(Set.of(), Map.of(bench.inode, 2), Set.of(), Set.of()));
    assertThat(job.run()).isOne();
    assertThat(catalog.files().find(bench.inode).orElseThrow().progress().detail())
        .contains("Its replication was raised to 2, by a user");
  }

  @Test
  void whatFailsIsLookedAtAgainAMinuteLaterAndNotSooner() throws IOException {
    bench.cluster.append(RaidBench.PATH, new byte[10]);
    reported.changed(changed(bench.inode));
    unreachable = true;
    assertThat(job.run()).isOne();
    assertThat(replication(bench.inode)).as("the replicas wait for no rights").isEqualTo(3);
    unreachable = false;
    assertThat(job.run()).isZero();
    now = NOW.plus(Duration.ofMinutes(1));
    assertThat(job.run()).isOne();
    assertThat(refreshed).containsExactly(bench.inode);
    assertThat(job.run()).isZero();
  }

  /** A reduction asks every DataNode, and an audit waits for every move. */
  @Test
  void whatIsNotUrgentIsLeftToTheReconcileJob() throws IOException {
    bench.cluster.mark(bench.inode, ParityPhase.COMMITTED);
    bench.cluster.setReplication(bench.inode, 3);
    reported.changed(changed(bench.inode));

    assertThat(job.run()).isOne();

    assertThat(refreshed).containsExactly(bench.inode);
    assertThat(replication(bench.inode)).as("not reduced").isEqualTo(3);
  }

  @Test
  void aReplicationBelowTheTargetIsPutBackAndTheReconcileJobAuditsTheFile() throws IOException {
    long two = bench.cluster.createFile("/two", RaidBench.BLOCK, bench.content, 3);
    Protection twice = new Protection("rs-6-3", 2, 1);
    journal.worked("raid", two, daemon.raider().raid(two, twice, RaidProgress.NONE), "test");
    int unused = reconciler.run();
    assertThat(state(two)).isEqualTo(FileState.RAIDED);
    bench.cluster.setReplication(two, 1);
    reported.changed(new FileChanges(Set.of(), Map.of(two, 1), Set.of(), Set.of()));

    assertThat(job.run()).isOne();

    assertThat(replication(two)).isEqualTo(2);
    assertThat(state(two)).isEqualTo(FileState.REDUCED);
    bench.cluster.replicate();
    assertThat(reconciler.run()).isOne();
    assertThat(state(two)).isEqualTo(FileState.RAIDED);
  }

  @Test
  void whatIsAppendedWhileTheFileIsInWorkIsReplicatedAtOnce() throws IOException {
    List<Integer> replication = new ArrayList<>();
    audited =
        () -> {
          bench.cluster.append(RaidBench.PATH, new byte[10]);
          reported.changed(changed(bench.inode));
          try {
            int unused = job.run();
            replication.add(replication(bench.inode));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };

    reconciler.reconcile(bench.inode, "test");

    assertThat(replication).containsExactly(3);
    assertThat(job.run()).as("its parity is still to be retired").isOne();
    assertThat(state(bench.inode)).isEqualTo(FileState.LEFT);
    assertThat(job.run()).isZero();
  }

  @Test
  void whatIsAppendedIsReplicatedAlsoWhileTheParityCannotBeLookedAt() throws IOException {
    long other = bench.cluster.createFile("/other", RaidBench.BLOCK, bench.content, 3);
    raid(other);
    List<Long> members = group();
    bench.cluster.append(RaidBench.PATH, new byte[10]);
    bench.cluster.append("/small/f3", new byte[10]);
    reported.changed(changed(bench.inode, other, members.get(3)));
    rootMoved = true;

    assertThat(job.run()).isEqualTo(3);

    assertThat(replication(bench.inode)).isEqualTo(3);
    assertThat(replication(members.get(3))).isEqualTo(3);
    assertThat(replication(members.get(4))).as("not changed").isOne();
    assertThat(replication(other)).as("only its rights were changed").isOne();

    rootMoved = false;
    now = NOW.plus(Duration.ofMinutes(1));
    assertThat(job.run()).isEqualTo(3);
    assertThat(state(members.get(3))).isEqualTo(FileState.UNRAIDING);
    assertThat(bench.cluster.find(bench.inode)).as("in quarantine").isEmpty();
    assertThat(job.run()).isZero();
  }

  /** Returns eight members of a raided group. */
  private List<Long> group() throws IOException {
    List<Long> members = new ArrayList<>();
    Random random = new Random(5);
    for (int i = 0; i < 8; i++) {
      byte[] bytes = new byte[RaidBench.BLOCK - 7 * i];
      random.nextBytes(bytes);
      members.add(bench.cluster.createFile("/small/f" + i, RaidBench.BLOCK, bytes, 3));
    }
    journal.worked(
        "raid", daemon.groupRaider().raid(members, RaidBench.RS, 10, RaidProgress.NONE), "test");
    int unused = reconciler.run();
    assertThat(state(members.get(7))).isEqualTo(FileState.RAIDED);
    return members;
  }

  @Test
  void aGroupThatCouldNotBeProtectedIsLookedAtAgainAMinuteLater() throws IOException {
    List<Long> members = group();
    bench.cluster.append("/small/f3", new byte[10]);
    reported.changed(changed(members.get(3)));
    bench.fence =
        () -> {
          throw new IOException("The NameNode does not answer");
        };
    assertThat(job.run()).isOne();
    assertThat(replication(members.get(3))).isOne();

    bench.fence = () -> {};
    now = NOW.plus(Duration.ofMinutes(1));
    assertThat(job.run()).as("again").isOne();
    assertThat(replication(members.get(3))).isEqualTo(3);
  }

  @Test
  void stripesOfAGroupThatLoseAMemberGetTheirReplicasAtOnce() throws IOException {
    List<Long> members = group();
    bench.cluster.append("/small/f3", new byte[10]);
    bench.cluster.setUnderConstruction("/small/f3", true);

    reported.changed(changed(members.get(3)));
    assertThat(job.run()).isOne();

    assertThat(replication(members.get(3))).as("the changed member").isEqualTo(3);
    assertThat(replication(members.get(4))).as("its stripe bears losses still").isOne();
    assertThat(state(members.get(3)))
        .as("the reconcile job goes on")
        .isNotEqualTo(FileState.RAIDED);
  }
}
