// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Runs one job, one run at a time, and remembers the results. */
final class JobRuns {
  private static final Logger LOG = LoggerFactory.getLogger(JobRuns.class);

  /** A run that is due waits for a thread, or for the end of the run before. */
  private static final Duration LATE = Duration.ofMinutes(10);

  /** No run that lasts shorter is too long. */
  private static final Duration LONG = Duration.ofHours(1);

  /** A job with a short interval may fail for this time. */
  private static final Duration FAILS_LONG = Duration.ofMinutes(10);

  /** A single failure may have any cause, and the next run makes up for it. */
  private static final int MANY_FAILURES = 3;

  private static final String STOPPED = "stopped";

  private static final Duration NEVER = Duration.ofDays(10_000);

  private final Job job;
  private final Clock clock;
  private final LongSupplier nanos;
  private final JobListener listener;
  private final KnownTrouble trouble;
  private long startedAt;
  private long dueAt;
  private Thread running;
  private boolean stopped;
  private Instant lastStart;
  private Instant lastEnd;
  private Instant lastSuccess;
  private String lastError;

  /** The failed runs since the last run that succeeded, or that a known trouble explains. */
  private int failures;

  private Instant failingSince;
  private long failingFrom;
  private boolean inTrouble;

  /**
   * @param nanos a clock that cannot be set, such as {@link System#nanoTime}
   */
  JobRuns(Job job, Clock clock, LongSupplier nanos, JobListener listener, KnownTrouble trouble) {
    this.job = job;
    this.clock = clock;
    this.nanos = nanos;
    this.listener = listener;
    this.trouble = trouble;
    foresee();
  }

  /** Sets when the next run is due, by the clock that cannot be set. */
  synchronized void foresee() {
    Instant now = clock.instant();
    dueAt =
        nanos.getAsLong()
            + Cron.next(job.cron(), job.zone(), clock)
                .map(next -> Duration.between(now, next))
                .orElse(NEVER)
                .toNanos();
  }

  /** Returns what is wrong if the job has not ended, or not started, for far too long. */
  synchronized Optional<String> stall() {
    long now = nanos.getAsLong();
    if (running == null) {
      Duration late = Duration.ofNanos(now - dueAt);
      return stopped || late.compareTo(LATE) < 0
          ? Optional.empty()
          : Optional.of("Job %s should have started %s ago".formatted(job.name(), inMinutes(late)));
    }
    Duration runs = Duration.ofNanos(now - startedAt);
    return job.openEnded() || runs.compareTo(intervals(3, LONG)) < 0
        ? Optional.empty()
        : Optional.of(
            "Job %s has not ended for %s; its schedule is '%s'"
                .formatted(job.name(), inMinutes(runs), job.cron()));
  }

  /** Returns what is wrong if the job has failed for far too long. */
  private Optional<String> failing() {
    Duration fails = Duration.ofNanos(nanos.getAsLong() - failingFrom);
    // The last success was one interval before the first failure.
    return failures < MANY_FAILURES || fails.compareTo(intervals(2, FAILS_LONG)) < 0
        ? Optional.empty()
        : Optional.of(
            "Job %s has failed %d times in a row since %s: %s"
                .formatted(
                    job.name(),
                    failures,
                    failingSince.truncatedTo(ChronoUnit.SECONDS),
                    lastError.lines().findFirst().orElse("")));
  }

  /** Returns the time of some intervals, at least the given time. */
  private Duration intervals(int count, Duration least) {
    Duration all =
        Cron.interval(job.cron(), job.zone(), clock)
            .map(each -> each.multipliedBy(count))
            .orElse(NEVER);
    return all.compareTo(least) > 0 ? all : least;
  }

  private static String inMinutes(Duration time) {
    return "%d minutes".formatted(time.toMinutes());
  }

  void run() {
    if (waits()) {
      synchronized (this) {
        inTrouble = true;
        failures = 0;
        foresee();
      }
      return;
    }
    begin().ifPresent(this::run);
  }

  /** Whether a run would only fail as the others do. */
  private boolean waits() {
    return !job.evenInTrouble() && trouble.isOn();
  }

  private void run(Instant start) {
    String error = null;
    boolean explained = false;
    try {
      job.task().run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      error = STOPPED;
    } catch (Exception | Error e) {
      boolean ends = isOfItsEnd(e);
      error = ends ? STOPPED : Failures.words(e);
      explained = !ends && trouble.explains(e);
      LOG.atLevel(ends || explained ? Level.DEBUG : Level.ERROR)
          .setCause(e)
          .addKeyValue("job", job.name())
          .log("Job failed; it runs again");
      if (e instanceof VirtualMachineError fatal) {
        throw fatal;
      }
    } finally {
      end(start, error, explained);
    }
  }

  /** Returns whether a run has failed only because the daemon ends, which has its own line. */
  private synchronized boolean isOfItsEnd(Throwable failure) {
    return Failures.isDeposed(failure) || (stopped && Failures.isInterrupt(failure));
  }

  /** Starts a run; empty if the daemon is stopping. */
  private synchronized Optional<Instant> begin() {
    if (stopped) {
      return Optional.empty();
    }
    running = Thread.currentThread();
    startedAt = nanos.getAsLong();
    Instant now = clock.instant();
    lastStart = now;
    return Optional.of(now);
  }

  private void end(Instant start, String error, boolean explained) {
    Instant now = clock.instant();
    // A run may have come to its end although each of its tasks has failed.
    boolean runsAgain = explained || waits();
    Duration took;
    synchronized (this) {
      took = Duration.ofNanos(nanos.getAsLong() - startedAt);
      foresee();
      running = null;
      lastEnd = now;
      lastError = error;
      inTrouble = runsAgain;
      if (error == null || runsAgain) {
        failures = 0;
      } else if (failures++ == 0) {
        failingSince = now;
        failingFrom = nanos.getAsLong();
      }
      if (error == null) {
        lastSuccess = start;
      }
    }
    listener.ended(job.name(), took, error == null);
    // Some jobs run four times a minute and log their work themselves.
    LOG.atDebug()
        .addKeyValue("job", job.name())
        .addKeyValue("seconds", took.toMillis() / 1000.0)
        .addKeyValue("result", error == null ? "done" : error)
        .log("Job ended");
  }

  /** Interrupts the current run, if there is one, and prevents further runs. */
  synchronized void stop() {
    stopped = true;
    if (running != null) {
      running.interrupt();
    }
  }

  /** Returns whether a run failed or was left out because of a trouble that is known. */
  synchronized boolean isInTrouble() {
    return inTrouble;
  }

  synchronized boolean isRunning() {
    return running != null;
  }

  synchronized JobReport report(Optional<Instant> nextRun) {
    return new JobReport(
        job.name(),
        job.cron(),
        running != null,
        Optional.ofNullable(lastStart),
        Optional.ofNullable(lastEnd),
        Optional.ofNullable(lastSuccess),
        Optional.ofNullable(lastError),
        failing(),
        stall(),
        nextRun);
  }
}
