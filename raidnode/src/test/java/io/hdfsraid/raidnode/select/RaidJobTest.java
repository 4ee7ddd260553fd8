// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.policies.Budget;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.PathGlob;
import io.hdfsraid.policies.Policies;
import io.hdfsraid.policies.Policy;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.policies.RunSettings;
import io.hdfsraid.policies.capacity.CapacityRule;
import io.hdfsraid.policies.capacity.SpaceUsage;
import io.hdfsraid.policies.window.TimeWindows;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.job.BenchCluster;
import io.hdfsraid.raidnode.job.JobListeners;
import io.hdfsraid.raidnode.job.JobSettings;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.traffic.Tuning;
import io.hdfsraid.recency.RecencyOptions;
import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What happens while a run of raiding is under way counts for what it has not yet raided. */
class RaidJobTest {
  private static final Instant NOW = Instant.parse("2029-06-01T00:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final Instant LONG_AGO = NOW.minus(Duration.ofDays(400));
  private static final Policy COLD = cold("cold");

  @TempDir Path folder;

  private final RaidBench bench = new RaidBench();
  private final BenchCluster cluster = new BenchCluster(bench);
  private final List<Long> encoded = new ArrayList<>();
  private Runnable whileEncoding = () -> {};
  private Catalog catalog;
  private JobWiring jobs;

  @BeforeEach
  void open() {
    catalog = Catalog.open(folder, CLOCK);
    for (int i = 0; i < 5; i++) {
      // The listed namespace gives these numbers to directories.
      long unused = bench.cluster.createFile("/unused/" + i, RaidBench.BLOCK, new byte[1], 3);
    }
    JobSettings defaults = JobSettings.defaults();
    jobs =
        JobWiring.of(
            cluster,
            catalog,
            new Policies(List.of(COLD), List.of(), 0),
            new JobSettings(
                defaults.root(),
                Tuning.workers(1, 1, 1),
                defaults.rowMemory(),
                defaults.movesPerNode(),
                defaults.auditFilesPerSecond(),
                defaults.polling(),
                defaults.dataNodeTimeout(),
                defaults.repairAttempts(),
                defaults.limits(),
                Duration.ofHours(1),
                defaults.repair(),
                defaults.storm(),
                defaults.scrub(),
                defaults.history(),
                defaults.lostParity(),
                RecencyOptions.listing("/.raid", Optional.of(Instant.EPOCH)),
                defaults.readerLocation()),
            JobListeners.of(
                new RaidEvents() {
                  @Override
                  public void encoded(long inode, long bytes) {
                    if (!encoded.contains(inode)) {
                      encoded.add(inode);
                      Runnable once = whileEncoding;
                      whileEncoding = () -> {};
                      once.run();
                    }
                  }
                }),
            CLOCK);
  }

  @AfterEach
  void close() {
    jobs.close();
    catalog.close();
    bench.close();
  }

  private static Policy cold(String name) {
    return new Policy(
        name,
        List.of(PathGlob.of("/warehouse")),
        List.of(),
        Duration.ofDays(1),
        Duration.ZERO,
        0,
        RaidBench.RS,
        Optional.empty());
  }

  /** Last used so many days after long ago. */
  private long file(String name, int blocks, int days) {
    byte[] bytes = new byte[blocks * RaidBench.BLOCK];
    new Random(days).nextBytes(bytes);
    String path = "/warehouse/" + name;
    long inode = bench.cluster.createFile(path, RaidBench.BLOCK, bytes, 3);
    cluster.namespace.put(
        FileFacts.of(
            path, inode, bytes.length, RaidBench.BLOCK, 3, LONG_AGO.plus(Duration.ofDays(days))));
    return inode;
  }

  private void run() throws IOException {
    long unused = jobs.select().recency().refresh();
    jobs.select().raid().run(policy -> true);
  }

  private void read(String name) {
    catalog
        .namespace()
        .accessed(
            List.of(new Access("/warehouse/" + name, NOW.toEpochMilli())),
            new Watermark("test", name),
            (access, inode) -> {});
  }

  @Test
  void aDaemonWithANewCatalogDoesNotRaidWhatAnOperatorUnraided() throws IOException {
    long unraided = file("unraided", 6, 0);
    long other = file("other", 6, 1);
    cluster.unraided.add(unraided);

    run();
    run();

    assertThat(encoded).containsExactly(other);
    assertThat(catalog.files().find(unraided).orElseThrow().progress().reason())
        .contains(Reason.UNRAIDED_BY_OPERATOR);
  }

  @Test
  void theColdestIsRaidedFirstAndThenTheNext() throws IOException {
    long second = file("second", 7, 2);
    long first = file("first", 7, 1);

    run();

    assertThat(encoded).containsExactly(first, second);
  }

  /** Audits may make no room for hours, and an operator may not want to wait for that. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aRunThatWaitsForAuditsEndsWhenPoliciesArePaused() throws IOException {
    long first = file("first", 7, 1);
    file("second", 7, 2);
    whileEncoding =
        () -> {
          jobs.raiding().pipelines().unaudited().found(4_711, 1_000);
          jobs.upkeep().mode().pause();
        };

    run();

    assertThat(encoded).containsExactly(first);
  }

  @Test
  void aFileThatIsReadBeforeItsTurnIsLeft() throws IOException {
    long first = file("first", 7, 1);
    file("second", 7, 2);
    whileEncoding = () -> read("second");

    run();

    assertThat(encoded).containsExactly(first);
  }

  @Test
  void aFileThatIsReadOrWrittenOrRemovedSinceItsListingIsLeft() throws IOException {
    file("read", 7, 1);
    file("written", 7, 2);
    file("gone", 7, 3);
    long same = file("same", 7, 4);
    long seen = file("seen", 7, 5);
    cluster.shownNow.put("/warehouse/read", listed("read", 1).withAccess(NOW));
    cluster.shownNow.put("/warehouse/written", listed("written", 100));
    cluster.shownNow.put("/warehouse/gone", null);
    cluster.shownNow.put(
        "/warehouse/seen", listed("seen", 5).withAccess(LONG_AGO.plus(Duration.ofDays(6))));

    run();

    assertThat(encoded).containsExactly(same, seen);
  }

  private static FileFacts listed(String name, int days) {
    return FileFacts.of(
        "/warehouse/" + name,
        1,
        7L * RaidBench.BLOCK,
        RaidBench.BLOCK,
        3,
        LONG_AGO.plus(Duration.ofDays(days)));
  }

  @Test
  void whenThereIsRoomInTheMiddleOfARunItEnds() throws IOException {
    jobs.select()
        .policies()
        .replace(
            new Policies(
                List.of(
                    cold("evicting")
                        .running(
                            new RunSettings(
                                Optional.empty(),
                                RunSettings.Misfire.SKIP,
                                ZoneOffset.UTC,
                                TimeWindows.NONE,
                                Optional.of(new CapacityRule(80, 70, Optional.empty())),
                                Budget.NONE))),
                List.of(),
                0));
    cluster.fill = new SpaceUsage(9_000_000, 10_000_000, 0);
    long first = file("first", 7, 1);
    file("second", 7, 2);
    whileEncoding = () -> cluster.fill = new SpaceUsage(6_000_000, 10_000_000, 0);

    run();
    assertThat(encoded).containsExactly(first);

    cluster.fill = new SpaceUsage(7_500_000, 10_000_000, 0);
    run();
    assertThat(encoded).as("between the marks room is not made anew").containsExactly(first);
  }

  @Test
  void aPolicyThatIsTakenOutRaidsNoMore() throws IOException {
    long first = file("first", 7, 1);
    file("second", 7, 2);
    whileEncoding =
        () -> jobs.select().policies().replace(new Policies(List.of(cold("other")), List.of(), 0));

    run();

    assertThat(encoded).containsExactly(first);
  }

  @Test
  void aSmallFileThatIsReadBeforeItsTurnIsInNoGroup() throws IOException {
    for (int i = 0; i < 7; i++) {
      file("early/" + i, 1, i);
    }
    List<Long> late = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      late.add(file("late/" + i, 1, 10 + i));
    }
    whileEncoding = () -> read("late/3");

    run();

    assertThat(encoded).as("two groups").hasSize(2);
    assertThat(catalog.files().find(late.get(2))).isPresent();
    assertThat(catalog.files().find(late.get(3))).isEmpty();
  }
}
