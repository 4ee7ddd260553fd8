// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.raiding.core.RaidProgress;
import io.hdfsraid.raidnode.raiding.core.RaidStep;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import io.hdfsraid.raidnode.raiding.group.GroupOutcome;
import io.hdfsraid.raidnode.raiding.group.GroupReconciler;
import io.hdfsraid.raidnode.repair.IntegrityJob;
import io.hdfsraid.raidnode.repair.StripeChecks;
import io.hdfsraid.raidnode.repair.StripeHealthRecorder;
import io.hdfsraid.raidnode.upkeep.MembershipCheckJob;
import io.hdfsraid.raidnode.upkeep.QuarantineJob;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the rounds do for a raided group of twelve files, two stripes, of the in-memory cluster. */
class GroupJobsTest {
  private static final Clock CLOCK = Clock.systemUTC();

  @TempDir Path folder;

  private final RaidBench bench = new RaidBench();
  private final ExecutorService threads = Executors.newSingleThreadExecutor();
  private final List<Long> inodes = new ArrayList<>();
  private Catalog catalog;
  private ReconcileJob reconciler;
  private IntegrityJob integrity;
  private UnauditedStripes unaudited;
  private GroupReconciler groups;
  private GroupId group;
  private Runnable encoded = () -> {};

  @BeforeEach
  void raid() throws IOException {
    Random random = new Random(3);
    for (int i = 0; i < 12; i++) {
      byte[] bytes = new byte[1_000 + i];
      random.nextBytes(bytes);
      inodes.add(bench.cluster.createFile(path(i), RaidBench.BLOCK, bytes, 3));
    }
    catalog = Catalog.open(folder, CLOCK);
    Journal journal = new Journal(catalog, CLOCK, RaidEvents.NONE);
    Pipelines daemon =
        bench.daemon(
            (step, subject) -> {
              if (step == RaidStep.ENCODED) {
                encoded.run();
              }
            });
    unaudited = daemon.unaudited();
    groups = daemon.groupReconciler();
    Workers workers = new Workers(threads);
    reconciler =
        new ReconcileJob(
            catalog,
            daemon.groupReconciler(),
            daemon.fileReconciler(),
            daemon.unraider(),
            workers,
            journal,
            CLOCK);
    integrity =
        new IntegrityJob(
            bench.cluster,
            new StripeChecks(
                bench.cluster,
                bench.cluster,
                new IntegrityCheck(
                    bench.cluster, new StripeLocator(Codecs::parse), bench.cluster, Runnable::run),
                reconciler,
                catalog,
                new StripeHealthRecorder(catalog, RaidEvents.NONE, CLOCK)),
            reconciler,
            new QuarantineJob(daemon.quarantine(), reconciler, catalog, journal),
            RaidBench.vanished(bench.cluster, reconciler, catalog),
            catalog,
            workers,
            CLOCK);
    group = daemon.groupRaider().raid(inodes, RaidBench.RS, 10, RaidProgress.NONE).group();
    for (int round = 0; round < 4; round++) {
      bench.cluster.replicate();
      reconciler.reconcile(group.value(), "test");
    }
    for (long inode : inodes) {
      assertThat(catalog.files().find(inode).orElseThrow().state()).isEqualTo(FileState.RAIDED);
    }
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    catalog.close();
    bench.close();
  }

  private static String path(int number) {
    return "/small/f%02d".formatted(number);
  }

  private String pathOf(long inode) {
    return path(inodes.indexOf(inode));
  }

  private ParityFile parity() throws IOException {
    return bench.cluster.find(group.value()).orElseThrow();
  }

  private int replicationOf(long inode) throws IOException {
    return bench.cluster.file(inode).orElseThrow().replication();
  }

  @Test
  void theRollCallProtectsAStripeAtRiskAndEncodesNothing() throws IOException {
    ParityFile parity = parity();
    List<Long> stripe =
        List.copyOf(parity.manifest().membersOf(parity.manifest().stripes().get(0)));
    stripe.subList(0, 3).forEach(inode -> bench.cluster.delete(pathOf(inode)));
    long written = bench.cluster.parityBytesWritten();
    List<Long> atRisk = stripe.subList(3, stripe.size());
    bench.cluster.setAtQuota(pathOf(atRisk.get(0)), true);

    assertThat(new MembershipCheckJob(bench.cluster, reconciler).run()).isEqualTo(1);

    for (long inode : atRisk.subList(1, atRisk.size())) {
      assertThat(replicationOf(inode)).isEqualTo(3);
    }
    assertThat(catalog.files().find(atRisk.get(0)).orElseThrow().progress().reason())
        .contains(Reason.QUOTA_EXCEEDED);
    for (Member member : parity.manifest().members()) {
      if (!stripe.contains(member.inode())) {
        assertThat(replicationOf(member.inode())).isEqualTo(1);
      }
    }
    assertThat(bench.cluster.parityBytesWritten()).as("encoded").isEqualTo(written);
  }

  @Test
  void aGroupThatWasReadInVainIsNotReadAgainInTheNextRound() throws IOException {
    int[] encodings = {0};
    // Another member changes each time.
    encoded = () -> bench.cluster.append(path(++encodings[0]), new byte[] {1});
    bench.cluster.delete(path(0));
    reconciler.reconcile(group.value(), "test");
    assertThat(encodings[0]).isEqualTo(3);
    assertThat(catalog.files().find(inodes.get(5)).orElseThrow().progress().reason())
        .contains(Reason.CHANGED_WHILE_ENCODING);
    for (int changed = 1; changed <= 3; changed++) {
      assertThat(replicationOf(inodes.get(changed))).as("changed meanwhile").isEqualTo(3);
    }

    assertThat(reconciler.run()).isZero();

    assertThat(encodings[0]).isEqualTo(3);
    encoded = () -> {};
    integrity.run();
    assertThat(bench.cluster.find(group.successor().value())).as("at the next check").isPresent();
  }

  /** To encode a group, and to move its units, takes up to hours. */
  @Test
  void theRollCallProtectsAMemberThatChangesWhileItsGroupIsInWork() throws IOException {
    List<Integer> replication = new ArrayList<>();
    encoded =
        () -> {
          encoded = () -> {};
          bench.cluster.append(path(1), new byte[] {1});
          replication.add(replicationAfterRollCall(inodes.get(1)));
        };
    bench.cluster.delete(path(0));

    reconciler.reconcile(group.value(), "test");

    assertThat(replication).containsExactly(3);
    assertThat(bench.cluster.find(group.successor().value())).as("the successor").isPresent();
  }

  private int replicationAfterRollCall(long inode) {
    try {
      int unused = new MembershipCheckJob(bench.cluster, reconciler).run();
      return replicationOf(inode);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theRollCallLeavesAGroupThatIsCompleteAsItIs() throws IOException {
    assertThat(new MembershipCheckJob(bench.cluster, reconciler).run()).isEqualTo(1);

    for (long inode : inodes) {
      assertThat(replicationOf(inode)).isEqualTo(1);
      assertThat(catalog.files().find(inode).orElseThrow().state()).isEqualTo(FileState.RAIDED);
    }
  }

  @Test
  void aFileAtItsQuotaKeepsNoOtherFromItsReplicasWhenTheParityOfAllHasVanished()
      throws IOException {
    bench.cluster.quarantine(parity());
    bench.cluster.purge(bench.cluster.quarantined(group.value()).get(0));
    bench.cluster.setAtQuota(path(0), true);
    unaudited.found(group.value(), 2);

    integrity.run();

    assertThat(unaudited.total()).as("no audit follows").isZero();
    assertThat(replicationOf(inodes.get(0))).isEqualTo(1);
    for (long inode : inodes.subList(1, inodes.size())) {
      assertThat(replicationOf(inode)).isEqualTo(3);
    }
    assertThat(catalog.notes().instant(Notes.LAST_CHECK)).as("the round went on").isPresent();
    bench.cluster.setAtQuota(path(0), false);
    integrity.run();
    assertThat(replicationOf(inodes.get(0))).isEqualTo(3);
  }

  @Test
  void aGroupWhoseParityHasVanishedKeepsNoOtherFromBeingReduced() throws IOException {
    unaudited.found(group.value(), 2);
    bench.cluster.quarantine(parity());
    bench.cluster.purge(bench.cluster.quarantined(group.value()).get(0));

    reconciler.reconcile(inodes.get(0), "test");

    assertThat(unaudited.total()).isZero();
  }

  @Test
  void aGroupThatIsBeingUnraidedKeepsNoOtherFromBeingReduced() throws IOException {
    unaudited.found(group.value(), 2);
    bench.cluster.setAtQuota(path(0), true);

    GroupOutcome waiting = groups.unraid(group);

    assertThat(waiting.members().get(inodes.get(0)).reason()).contains(Reason.QUOTA_EXCEEDED);
    assertThat(unaudited.total()).isZero();
  }
}
