// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.InMemoryCluster;
import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.StripeId;
import io.hdfsraid.raidapi.health.FsckRequest;
import io.hdfsraid.raidapi.repairs.CancelRepairRequest;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import io.hdfsraid.raidapi.scrub.ScrubRequest;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.job.JobListeners;
import io.hdfsraid.raidnode.job.JobSettings;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.raiding.core.Cluster;
import io.hdfsraid.raidnode.raiding.core.ClusterAccess;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.RaidedFiles;
import io.hdfsraid.raidnode.rest.health.FsckService;
import io.hdfsraid.raidnode.rest.repairs.RepairService;
import io.hdfsraid.raidnode.rest.scrub.ScrubService;
import io.hdfsraid.raidnode.rest.tasks.TaskQueue;
import io.hdfsraid.raidnode.rest.tasks.Tasks;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What operators ask for by hand, with all jobs on a cluster in memory. */
class RequestsTest {
  private static final int BLOCK = 1_024;
  private static final String BY = "test";
  private static final Protection RS = new Protection("rs-3-2", 1, 1);

  @TempDir Path folder;

  private final SimulatedClock clock = new SimulatedClock();
  private final InMemoryCluster cluster = new InMemoryCluster(12, 6, 1);
  private final Random random = new Random(1);
  private final Set<Long> damaged = new HashSet<>();
  private Catalog catalog;
  private Tasks tasks;
  private TaskQueue checks;
  private FsckService fsck;
  private TaskQueue repairs;
  private TaskQueue scrubs;
  private JobWiring jobs;
  private RepairService repair;
  private ScrubService scrub;

  @BeforeEach
  void start() throws IOException {
    catalog = Catalog.open(folder, clock);
    tasks = new Tasks(catalog.tasks(), clock);
    repairs = new TaskQueue(tasks, KnownTrouble.NONE, 10);
    scrubs = new TaskQueue(tasks, KnownTrouble.NONE, 10);
    Cluster hdfs = withDamage(new SimulatedHdfs(cluster, Map.of(), clock, new Nobody()));
    checks = new TaskQueue(tasks, KnownTrouble.NONE, 10);
    jobs =
        JobWiring.of(
            hdfs,
            catalog,
            new Policies(List.of(), List.of(), 0),
            JobSettings.defaults(),
            JobListeners.NONE,
            clock);
    fsck =
        new FsckService(
            null,
            catalog,
            hdfs.access(),
            jobs.detection().check(),
            jobs.detection().recorder(),
            checks,
            clock);
    RaidedFiles files = new RaidedFiles(catalog, path -> true);
    repair =
        new RepairService(
            files,
            catalog,
            new RepairService.Jobs(
                jobs.detection().stripes(), jobs.repair().job(), jobs.upkeep().reconciler()),
            new RepairService.Queues(repairs, scrubs),
            clock);
    scrub =
        new ScrubService(
            files, jobs.upkeep().reconciler(), jobs.scrub()::requested, jobs.tuning()::now, scrubs);
  }

  @AfterEach
  void close() {
    repairs.close();
    scrubs.close();
    checks.close();
    jobs.close();
    catalog.close();
  }

  private Cluster withDamage(Cluster hdfs) {
    ClusterAccess access = hdfs.access();
    ParityStore store =
        proxy(
            ParityStore.class,
            access.parity(),
            (method, arguments) -> {
              if (method.getName().equals("find") && damaged.contains(arguments[0])) {
                throw new ManifestFormatException("The manifest is damaged");
              }
            });
    ClusterAccess seen =
        new ClusterAccess(
            access.clusterId(),
            access.blockPool(),
            access.namespace(),
            access.dataNodes(),
            store,
            access.holders(),
            access.badReplicas(),
            access.fence());
    return (Cluster)
        Proxy.newProxyInstance(
            Cluster.class.getClassLoader(),
            new Class<?>[] {Cluster.class},
            (proxy, method, arguments) ->
                method.getName().equals("access") ? seen : method.invoke(hdfs, arguments));
  }

  private interface Before {
    void call(Method method, Object[] arguments) throws IOException;
  }

  private static <T> T proxy(Class<T> type, T port, Before before) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              before.call(method, arguments);
              try {
                return method.invoke(port, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private long create(String path, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    long inode = cluster.createFile(path, BLOCK, bytes, 3);
    catalog
        .files()
        .put(
            new FileRecord(
                FileFacts.of(path, inode, length, BLOCK, 3, clock.now()),
                FileProgress.of(FileState.CANDIDATE, BY, clock.now()),
                Optional.empty(),
                clock.now()));
    return inode;
  }

  private long raided(String path, int blocks) throws IOException {
    long inode = create(path, blocks * BLOCK);
    jobs.select().raider().raid(inode, RS, BY);
    settle(List.of(inode));
    return inode;
  }

  /** Files of one block each that share a stripe, and its parity. */
  private List<Long> raidedTogether(String... paths) throws IOException {
    List<Long> inodes = new ArrayList<>();
    for (String path : paths) {
      inodes.add(create(path, BLOCK));
    }
    jobs.select().raider().raidTogether(inodes, RS, BY);
    settle(inodes);
    return inodes;
  }

  @Test
  void aFileWhoseManifestIsDamagedIsLeftOutAndTheOthersAreRaidedTogether() throws IOException {
    long bad = raided("/some/bad", 3);
    damaged.add(bad);
    List<Long> wanted = new ArrayList<>(List.of(bad));
    for (int i = 0; i < 3; i++) {
      wanted.add(create("/some/small" + i, BLOCK));
    }

    jobs.select().raider().raidTogether(wanted, RS, BY);

    settle(wanted.subList(1, 4));
  }

  private void settle(List<Long> inodes) throws IOException {
    for (int look = 0; look < 50; look++) {
      for (long inode : inodes) {
        jobs.upkeep().reconciler().reconcile(inode, BY);
      }
      cluster.replicate();
      clock.pass(Duration.ofMinutes(1));
    }
    assertThat(inodes)
        .allSatisfy(
            inode ->
                assertThat(catalog.files().find(inode).map(FileRecord::state))
                    .contains(FileState.RAIDED));
  }

  private void lose(String path, int... blocks) throws IOException {
    for (int block : blocks) {
      LocatedBlock located = cluster.file(path).orElseThrow().blocks().get(block);
      for (DataNode node : cluster.holders(located.block().id())) {
        cluster.deleteReplica(located.block().id(), node);
      }
    }
  }

  private RepairState onlyKnown() {
    List<RepairState> known = catalog.repairs().list(Optional.empty(), 10);
    assertThat(known).hasSize(1);
    return known.get(0);
  }

  @Test
  void whatIsNotBeingRepairedIsNotLeftForAWhileForThatWouldHideIt() throws IOException {
    long inode = raided("/w/hopeless", 3);
    lose("/w/hopeless", 0, 1, 2);
    jobs.detection().stripes().check(inode);
    RepairState before = onlyKnown();
    assertThat(before.status()).isEqualTo(RepairStatus.UNRECOVERABLE);

    for (RepairState untried :
        List.of(
            new RepairState.Unrecoverable(before.damage(), "because", before.since()),
            new RepairState.Parked(before.damage(), "because"))) {
      catalog.repairs().put(untried);
      RepairState set = onlyKnown();
      ChangePreview answer =
          repair.cancel(
              new CancelRepairRequest(null, List.of(new StripeId(inode, 0)), false, null, false),
              "alice");

      assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
      assertThat(answer.items().get(0).what())
          .contains(
              "is not being repaired",
              untried.status().tag(),
              "because",
              "raidshell repair --stripe");
      assertThat(onlyKnown()).isEqualTo(set);
    }

    catalog.repairs().put(new RepairState.Waiting(before.damage(), ""));
    ChangePreview left =
        repair.cancel(
            new CancelRepairRequest(null, List.of(new StripeId(inode, 0)), false, null, false),
            "alice");
    assertThat(left.outcome()).isEqualTo(Outcome.DONE);
    assertThat(onlyKnown().status()).isEqualTo(RepairStatus.POSTPONED);
  }

  @Test
  void aStripeThatFilesShareIsPlannedOnceAndScrubbedAsAWhole() throws Exception {
    raidedTogether("/w/a", "/w/b", "/w/c", "/w/d", "/w/e", "/w/f");
    lose("/w/a", 0);
    lose("/w/e", 0);

    ChangePreview planned = repair.repair(RepairRequest.below("/w", true), "alice");
    assertThat(planned.items()).as(planned.toString()).hasSize(2);
    assertThat(planned.items().stream().map(item -> item.repair().orElseThrow().stripe().index()))
        .containsExactlyInAnyOrder(0, 1);

    ChangePreview whole = scrub.scrub(new ScrubRequest("/w", false, true), "alice");
    assertThat(whole.items())
        .singleElement()
        .satisfies(item -> assertThat(item.what()).contains("8 replicas of 2 stripes"));
    ChangePreview one = scrub.scrub(new ScrubRequest("/w/b", false, true), "alice");
    assertThat(one.items())
        .singleElement()
        .satisfies(item -> assertThat(item.what()).contains("of 1 stripes"));
  }

  @Test
  void oneFileWhoseParityCannotBeReadStopsNeitherScrubNorRepairOfTheOthers() throws IOException {
    long unreadable = raided("/w/a", 3);
    long there = raided("/w/b", 3);
    lose("/w/b", 1);
    damaged.add(unreadable);
    List<ChangePreview> plans =
        List.of(
            repair.repair(RepairRequest.below("/w", true), "alice"),
            repair.repair(
                RepairRequest.of(
                    List.of(new StripeId(unreadable, 0), new StripeId(there, 0)), true),
                "alice"),
            scrub.scrub(new ScrubRequest("/w", false, true), "alice"));

    assertThat(plans)
        .allSatisfy(
            plan -> {
              assertThat(plan.outcome()).as(plan.toString()).isEqualTo(Outcome.PLANNED);
              assertThat(plan.items()).hasSize(2);
              assertThat(plan.items().get(1).inode()).isEqualTo(unreadable);
              assertThat(plan.items().get(1).refused()).contains("UNKNOWN");
              assertThat(plan.items().get(1).what()).contains("damaged");
              assertThat(plan.items().get(0).inode()).isEqualTo(there);
            });
  }

  /** Otherwise a file would be called degraded while nothing waits to be repaired. */
  @Test
  void whatACheckFindsWaitsForItsRepair() throws IOException {
    raided("/w/degraded", 3);
    lose("/w/degraded", 1);
    assertThat(catalog.repairs().list(Optional.empty(), 10)).isEmpty();

    assertThat(fsck.fsck("/w", Paging.FIRST).summary().degraded()).isEqualTo(1);

    assertThat(catalog.repairs().list(Optional.empty(), 10))
        .singleElement()
        .satisfies(repair -> assertThat(repair.path()).isEqualTo("/w/degraded"));
  }

  @Test
  void manyFilesAreCheckedByATaskOnly() throws IOException {
    for (int i = 0; i <= 100; i++) {
      catalog
          .files()
          .put(
              new FileRecord(
                  FileFacts.of("/many/" + i, 1_000 + i, 100, BLOCK, 1, clock.now()),
                  FileProgress.of(FileState.RAIDED, BY, clock.now()),
                  Optional.of(new Parity("rs-3-2", 3, 1, 1, 1, 40)),
                  clock.now()));
    }

    assertThatThrownBy(() -> fsck.fsck("/many", Paging.FIRST))
        .isInstanceOf(ApiFailure.class)
        .hasMessage("There are more than 100 raided files below /many");
    assertThat(fsck.fsck("/many/7", Paging.FIRST).summary().unknown()).isEqualTo(1);
    String id = fsck.start(new FsckRequest("/many", 5, Optional.empty()), "alice").id();
    checks.finish();

    TaskReport done = tasks.find(id).orElseThrow();
    assertThat(done.state()).as(done.toString()).isEqualTo(TaskState.DONE);
    assertThat(done.progress().stepsDone()).isEqualTo(101);
    assertThat(done.fsck().orElseThrow().summary().unknown()).isEqualTo(101);
    assertThat(done.fsck().orElseThrow().files()).hasSize(5);
    assertThat(done.fsck().orElseThrow().next()).isPresent();
  }

  @Test
  void aRequestedRepairCountsItsStripes() throws IOException {
    raided("/w/one", 3);
    raided("/w/two", 6);
    lose("/w/one", 0);
    lose("/w/two", 0, 4);

    ChangePreview accepted = repair.repair(RepairRequest.below("/w", false), "alice");
    repairs.finish();

    TaskReport done = tasks.find(accepted.task().orElseThrow()).orElseThrow();
    assertThat(done.state()).as(done.toString()).isEqualTo(TaskState.DONE);
    assertThat(done.progress().steps()).isEqualTo(3);
    assertThat(done.progress().stepsDone()).isEqualTo(3);
    assertThat(done.progress().bytesDone()).isEqualTo(accepted.bytesToRead());
    assertThat(catalog.repairs().list(Optional.empty(), 10)).isEmpty();
  }

  @Test
  void aRequestedScrubCanBeCancelled() throws Exception {
    raided("/w/file", 3);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    scrubs.change(
        new ChangePreview(ChangePreview.Action.SCRUB, "/other", Outcome.ACCEPTED, 1, 0, 0, 0, ""),
        "alice",
        meter -> {
          begun.countDown();
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    begun.await();
    assertThat(scrub.scrub(new ScrubRequest("/w/file", true, false), "alice").outcome())
        .isEqualTo(Outcome.ACCEPTED);
    assertThat(scrubs.entries()).hasSize(2);

    ChangePreview answer =
        repair.cancel(new CancelRepairRequest("/w/file", null, false, null, false), "alice");
    assertThat(answer.items())
        .singleElement()
        .satisfies(item -> assertThat(item.what()).contains("a waiting request for a scrub"));
    assertThat(scrubs.entries()).extracting(TaskQueue.Entry::subject).containsExactly("/other");

    assertThat(
            repair
                .cancel(new CancelRepairRequest(null, null, true, null, false), "alice")
                .outcome())
        .isEqualTo(Outcome.DONE);
    scrubs.finish();
  }
}
