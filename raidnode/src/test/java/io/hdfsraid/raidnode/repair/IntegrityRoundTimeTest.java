// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.blockfixer.detect.IntegrityCheck;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.stripe.StripeLocator;
import io.hdfsraid.erasurecode.codes.Codecs;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileProgress;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.job.RaidBench;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.Pipelines;
import io.hdfsraid.raidnode.upkeep.DailyTurn;
import io.hdfsraid.raidnode.upkeep.QuarantineJob;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import io.hdfsraid.raidnode.worker.Workers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints the daemon's own time for a round of the integrity check in which no file has its turn:
 * with a real catalog, and with parity that is listed at once. {@code -Dround.skipped} says of how
 * many files.
 */
@Tag("full")
class IntegrityRoundTimeTest {
  private static final Clock CLOCK = Clock.systemUTC();
  private static final int FILES = Integer.getInteger("round.skipped", 20_000);
  private static final int BATCH = 10_000;
  private static final long FIRST = 1_000_000;
  private static final int DIRECTORIES = 4_096;

  @TempDir Path folder;

  private interface Round {
    void run() throws IOException;
  }

  @Test
  void aRoundInWhichNoFileHasItsTurnIsTimed() throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (RaidBench bench = new RaidBench();
        Catalog catalog = Catalog.open(folder, CLOCK)) {
      know(catalog);
      IntegrityJob job = job(bench, listing(bench), catalog, threads);
      Instant now = CLOCK.instant();
      DailyTurn nobody = new DailyTurn(now, now);
      time("first", () -> job.run(nobody));
      time("second", () -> job.run(nobody));
      time("third", () -> job.run(nobody));
      long[] raided = {0};
      catalog.files().withStatus(FileState.RAIDED, -1, file -> ++raided[0] > 0);
      assertThat(raided[0]).as("none was looked at and found to be gone").isEqualTo(FILES);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void know(Catalog catalog) {
    for (int from = 0; from < FILES; from += BATCH) {
      List<FileRecord> batch = new ArrayList<>();
      for (int file = from; file < Math.min(FILES, from + BATCH); file++) {
        String path = "/warehouse/table/dt=%d/part-%d".formatted(file / 1_000, file);
        batch.add(
            new FileRecord(
                FileFacts.of(path, FIRST + file, 100, 60, 1, CLOCK.instant()).withParity(1),
                FileProgress.of(FileState.RAIDED, "warehouse", CLOCK.instant()),
                Optional.of(new Parity("rs-6-3", 3, 1, 1, 1, 40)),
                CLOCK.instant()));
      }
      catalog.files().putAll(batch);
    }
  }

  /** Parity in the order of its directories, of which the low digits of an inode id decide. */
  private static ParityStore listing(RaidBench bench) {
    return (ParityStore)
        Proxy.newProxyInstance(
            ParityStore.class.getClassLoader(),
            new Class<?>[] {ParityStore.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("forEach")) {
                return method.invoke(bench.cluster, arguments);
              }
              @SuppressWarnings("unchecked")
              Consumer<Long> listener = (Consumer<Long>) arguments[0];
              for (int directory = 0; directory < DIRECTORIES; directory++) {
                for (int file = directory; file < FILES; file += DIRECTORIES) {
                  listener.accept(FIRST + file);
                }
              }
              return null;
            });
  }

  private static IntegrityJob job(
      RaidBench bench, ParityStore parity, Catalog catalog, ExecutorService threads) {
    Pipelines daemon = bench.daemon((step, subject) -> {});
    Journal journal = new Journal(catalog, CLOCK, RaidEvents.NONE);
    ReconcileJob reconciler =
        new ReconcileJob(
            catalog,
            daemon.groupReconciler(),
            daemon.fileReconciler(),
            daemon.unraider(),
            new Workers(threads),
            journal,
            CLOCK);
    return new IntegrityJob(
        parity,
        new StripeChecks(
            parity,
            bench.cluster,
            new IntegrityCheck(
                bench.cluster, new StripeLocator(Codecs::parse), bench.cluster, Runnable::run),
            reconciler,
            catalog,
            new StripeHealthRecorder(catalog, RaidEvents.NONE, CLOCK)),
        reconciler,
        new QuarantineJob(daemon.quarantine(), reconciler, catalog, journal),
        RaidBench.vanished(parity, reconciler, catalog),
        catalog,
        new Workers(threads),
        CLOCK);
  }

  private static void time(String what, Round round) throws IOException {
    long start = System.nanoTime();
    round.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "Integrity round (%s) of %d files that are skipped: %.2f s, %.2f us a file%n",
        what,
        FILES,
        seconds,
        seconds * 1e6 / FILES);
  }
}
