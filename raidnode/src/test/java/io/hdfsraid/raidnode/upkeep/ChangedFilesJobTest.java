package io.hdfsraid.raidnode.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.worker.Workers;
import io.hdfsraid.recency.index.FileChanges;
import java.io.IOException;
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
  private final Pipelines daemon = bench.daemon((step, subject) -> {});

  /** The ids of parity whose access rights were refreshed. */
  private final List<Long> refreshed = new ArrayList<>();

  private boolean unreachable;
  private Instant now = NOW;
  private Catalog catalog;
  private Journal journal;
  private ReconcileJob reconciler;
  private ChangedFilesJob job;

  @BeforeEach
  void raid() throws IOException {
    Clock clock = Clock.systemUTC();
    catalog = Catalog.open(folder, clock);
    journal = new Journal(catalog, clock, RaidEvents.NONE);
    reconciler =
        new ReconcileJob(
            catalog,
            daemon.groupReconciler(),
            daemon.fileReconciler(),
            daemon.unraider(),
            new Workers(threads),
            journal,
            clock);
    journal.worked(
        "raid",
        bench.inode,
        daemon.raider().raid(bench.inode, RaidBench.RS, RaidProgress.NONE),
        "test");
    int unused = reconciler.run();
    assertThat(state(bench.inode)).isEqualTo(FileState.RAIDED);
    job = started();
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    catalog.close();
    bench.close();
  }

  /** As of a daemon that has just started. */
  private ChangedFilesJob started() {
    return new ChangedFilesJob(
        catalog,
        bench.cluster,
        noting(),
        reconciler,
        new Workers(threads),
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
        });
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
    job.changed(changed(bench.inode, other));

    assertThat(started().run()).as("only the raided one").isOne();

    assertThat(replication(bench.inode)).isEqualTo(3);
    assertThat(state(bench.inode)).isEqualTo(FileState.UNRAIDING);
    assertThat(started().run()).as("nothing is left to look at").isZero();
  }

  @Test
  void aFileThatTheIndexDoesNotKnowYetIsFoundByItsPath() throws IOException {
    bench.cluster.append(RaidBench.PATH, new byte[10]);
    job.changed(
        new FileChanges(Set.of(), Map.of(), Set.of(RaidBench.PATH, "/gone/by/now"), Set.of()));
    assertThat(job.run()).isOne();
    assertThat(replication(bench.inode)).isEqualTo(3);
    assertThat(job.run()).isZero();
  }

  @Test
  void parityFollowsThePermissionsOfItsFile() throws IOException {
    job.changed(changed(bench.inode));
    assertThat(job.run()).isOne();
    assertThat(refreshed).containsExactly(bench.inode);
    assertThat(state(bench.inode)).isEqualTo(FileState.RAIDED);
  }

  /** A directory above was made private, say: its files need no other look. */
  @Test
  void parityFollowsTheDirectoriesAboveItsFileAlsoByTheNextDaemon() throws IOException {
    long other = bench.cluster.createFile("/not/raided", RaidBench.BLOCK, new byte[10], 3);
    bench.cluster.append(RaidBench.PATH, new byte[10]);
    job.changed(new FileChanges(Set.of(), Map.of(), Set.of(), Set.of(bench.inode, other)));
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
    job.changed(new FileChanges(Set.of(), Map.of(bench.inode, 1), Set.of(), Set.of()));
    assertThat(job.run()).isZero();
    bench.cluster.setReplication(bench.inode, 2);
    job.changed(new FileChanges(Set.of(), Map.of(bench.inode, 2), Set.of(), Set.of()));
    assertThat(job.run()).isOne();
    assertThat(catalog.files().find(bench.inode).orElseThrow().progress().detail())
        .contains("A user raised its replication to 2");
  }

  @Test
  void whatFailsIsLookedAtAgainAMinuteLaterAndNotSooner() throws IOException {
    bench.cluster.append(RaidBench.PATH, new byte[10]);
    job.changed(changed(bench.inode));
    unreachable = true;
    assertThat(job.run()).isOne();
    unreachable = false;
    assertThat(job.run()).isZero();
    now = NOW.plus(Duration.ofMinutes(1));
    assertThat(job.run()).isOne();
    assertThat(replication(bench.inode)).isEqualTo(3);
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
    job.changed(changed(members.get(3)));
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

    job.changed(changed(members.get(3)));
    assertThat(job.run()).isOne();

    assertThat(replication(members.get(3))).as("the changed member").isEqualTo(3);
    assertThat(replication(members.get(4))).as("its stripe bears losses still").isOne();
    assertThat(state(members.get(3)))
        .as("the reconcile job goes on")
        .isNotEqualTo(FileState.RAIDED);
  }
}
