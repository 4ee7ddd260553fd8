// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.tasks.TaskProgress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Counts what a task has done, and keeps what it has found. Safe for concurrent use. */
public final class TaskMeter {
  private static final double WHOLE = 100;

  private final Clock clock;
  private final Patience patience;
  private long steps;
  private long bytes;
  private long done;
  private long failed;
  private long read;
  private Optional<String> firstFailure = Optional.empty();
  private Optional<Instant> last = Optional.empty();
  private Optional<FsckReport> found = Optional.empty();

  TaskMeter(Clock clock, Patience patience) {
    this.clock = clock;
    this.patience = patience;
  }

  /** Returns what the steps wait with while nothing can be done. */
  public Patience patience() {
    return patience;
  }

  /** Adds to what is planned; a negative number of bytes is no longer planned to be read. */
  public synchronized void plan(long moreSteps, long moreBytes) {
    steps += moreSteps;
    bytes += moreBytes;
  }

  /** Counts bytes that were read, of those that were planned. */
  public synchronized void read(long moreBytes) {
    if (moreBytes > 0) {
      read += moreBytes;
      last = Optional.of(clock.instant());
    }
  }

  /** Counts a step that was carried out. */
  public synchronized void done() {
    done++;
    last = Optional.of(clock.instant());
  }

  /**
   * Counts a step that was not carried out.
   *
   * @param subject the file or the stripe
   * @param why for people
   */
  public synchronized void failed(String subject, String why) {
    failed++;
    last = Optional.of(clock.instant());
    if (firstFailure.isEmpty()) {
      firstFailure = Optional.of(subject + ": " + why);
    }
  }

  /** Keeps the result of the task. */
  public synchronized void found(FsckReport report) {
    found = Optional.of(report);
  }

  synchronized Optional<FsckReport> found() {
    return found;
  }

  synchronized boolean anyDone() {
    return done > 0;
  }

  synchronized boolean allDone() {
    return steps > 0 && done == steps;
  }

  /** Returns what was not carried out, with one reason; empty if nothing has failed. */
  synchronized Optional<String> failure() {
    return firstFailure.map(
        first -> "%d of %d steps were not carried out. %s".formatted(failed, steps, first));
  }

  /**
   * Returns how much is done.
   *
   * @param began when the task began; empty if it waits
   * @param ended when it ended; empty if it has not
   */
  synchronized TaskProgress progress(Optional<Instant> began, Optional<Instant> ended) {
    double share = share();
    double seconds =
        began
            .map(start -> Duration.between(start, ended.orElseGet(clock::instant)))
            .map(spent -> Math.max(0, spent.toMillis()) / 1000.0)
            .orElse(0.0);
    boolean counts = seconds > 0 && share > 0;
    return new TaskProgress(
        Math.round(share * WHOLE * 10) / 10.0,
        done,
        failed,
        steps,
        read,
        bytes,
        counts ? Math.round(read / seconds) : 0,
        counts && ended.isEmpty()
            ? Optional.of(Duration.ofSeconds(Math.round(seconds * (1 - share) / share)))
            : Optional.empty(),
        last);
  }

  /** Returns the part that is done, 0 to 1. */
  private double share() {
    if (bytes > 0) {
      return Math.min(1, (double) read / bytes);
    }
    return steps > 0 ? Math.min(1, (double) (done + failed) / steps) : 0;
  }
}
