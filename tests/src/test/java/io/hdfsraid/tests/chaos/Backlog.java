// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.chaos;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.health.FsckReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Samples how many files wait to be raided and repaired, and draws them over time. */
final class Backlog implements AutoCloseable {
  private static final long PAUSE_MILLIS = 2_000;
  private static final int WIDTH = 1_200;
  private static final int HEIGHT = 300;
  private static final int MARGIN = 40;

  private final long begin = System.nanoTime();
  private final Daemons daemons;
  private final IntSupplier files;
  private final List<Sample> samples = new CopyOnWriteArrayList<>();
  private final List<Mark> marks = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

  /**
   * The files that wait at one moment.
   *
   * @param at seconds since the first fault
   * @param toRaid files that are not under parity
   * @param toRepair files that are not healthy
   */
  record Sample(double at, long toRaid, long toRepair) {
    boolean isEmpty() {
      return toRaid == 0 && toRepair == 0;
    }
  }

  private record Mark(double at, String what) {}

  Backlog(Daemons daemons, IntSupplier files) {
    this.daemons = daemons;
    this.files = files;
    Future<?> unused =
        executor.scheduleWithFixedDelay(this::sample, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Asks the active daemon. Returns nothing if there is none that answers. */
  static Optional<Sample> of(Daemons daemons, int files) {
    try {
      Optional<RaidNodeClient> client = daemons.client();
      if (client.isEmpty()) {
        return Optional.empty();
      }
      // In this order: a file that moves on between the questions counts once or not at all.
      long raided = 0;
      for (FileState state : List.of(FileState.RAIDED, FileState.REDUCED)) {
        raided +=
            client.get().files("/warehouse", Optional.of(state), Paging.first(1000)).items().size();
      }
      FsckReport.Summary health = client.get().fsck("/warehouse", Paging.FIRST).summary();
      return Optional.of(new Sample(0, files - raided, health.files() - health.healthy()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private double now() {
    return (System.nanoTime() - begin) / 1e9;
  }

  private void sample() {
    of(daemons, files.getAsInt())
        .ifPresent(sample -> samples.add(new Sample(now(), drawn(sample), sample.toRepair())));
  }

  /** Files that are being written may be raided before they are counted. */
  private static long drawn(Sample sample) {
    return Math.max(0, sample.toRaid());
  }

  /** Marks that a fault begins now. */
  void mark(String what) {
    marks.add(new Mark(now(), what));
  }

  void draw(Path file) throws IOException {
    double last = now();
    long most =
        samples.stream()
            .mapToLong(each -> Math.max(each.toRaid(), each.toRepair()))
            .reduce(1, Math::max);
    String faults =
        marks.stream()
            .map(
                mark ->
                    String.format(
                        Locale.ROOT,
                        """
                        <line x1="%1$.1f" x2="%1$.1f" y1="%2$d" y2="%3$d" stroke="#bbb"/>
                        <text transform="translate(%1$.1f %4$d) rotate(30)" font-size="9">%5$s</text>
                        """,
                        x(mark.at(), last),
                        MARGIN,
                        HEIGHT,
                        HEIGHT + 12,
                        mark.what()))
            .collect(Collectors.joining());
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        String.format(
            Locale.ROOT,
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif">
            <title>Files that wait, at most %d, over %.0f seconds</title>
            %s<polyline fill="none" stroke="#1769aa" points="%s"/>
            <polyline fill="none" stroke="#c62828" points="%s"/>
            <text x="%d" y="16" font-size="12" fill="#1769aa">files to be raided</text>
            <text x="%d" y="32" font-size="12" fill="#c62828">files to be repaired (top: %d)</text>
            </svg>
            """,
            WIDTH + 2 * MARGIN,
            HEIGHT + 3 * MARGIN,
            most,
            last,
            faults,
            points(Sample::toRaid, last, most),
            points(Sample::toRepair, last, most),
            MARGIN,
            MARGIN,
            most));
  }

  private static double x(double at, double last) {
    return MARGIN + WIDTH * at / last;
  }

  private String points(ToDoubleFunction<Sample> value, double last, long most) {
    return samples.stream()
        .map(
            sample ->
                String.format(
                    Locale.ROOT,
                    "%.1f,%.1f",
                    x(sample.at(), last),
                    HEIGHT - (HEIGHT - MARGIN) * value.applyAsDouble(sample) / most))
        .collect(Collectors.joining(" "));
  }

  /** Takes no more samples; one that is being taken may still wait for an answer. */
  @Override
  public void close() {
    executor.shutdownNow();
  }
}
