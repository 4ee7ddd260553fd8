package io.hdfsraid.raidnode.schedule;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one job, one run at a time, and remembers the results. */
final class JobRuns {
  private static final Logger LOG = LoggerFactory.getLogger(JobRuns.class);

  private final Job job;
  private final Clock clock;
  private final JobListener listener;
  private Thread running;
  private boolean stopped;
  private Instant lastStart;
  private Instant lastEnd;
  private Instant lastSuccess;
  private String lastError;

  JobRuns(Job job, Clock clock, JobListener listener) {
    this.job = job;
    this.clock = clock;
    this.listener = listener;
  }

  void run() {
    begin().ifPresent(this::run);
  }

  private void run(Instant start) {
    String error = null;
    try {
      job.task().run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      error = "stopped";
    } catch (Exception | Error e) {
      error = e.getMessage() == null ? e.toString() : e.getMessage();
      LOG.atError().setCause(e).addKeyValue("job", job.name()).log("Job failed; it runs again");
      if (e instanceof VirtualMachineError fatal) {
        throw fatal;
      }
    } finally {
      end(start, error);
    }
  }

  /** Starts a run; empty if the daemon is stopping. */
  private synchronized Optional<Instant> begin() {
    if (stopped) {
      return Optional.empty();
    }
    running = Thread.currentThread();
    Instant now = clock.instant();
    lastStart = now;
    return Optional.of(now);
  }

  private void end(Instant start, String error) {
    Instant now = clock.instant();
    synchronized (this) {
      running = null;
      lastEnd = now;
      lastError = error;
      if (error == null) {
        lastSuccess = start;
      }
    }
    listener.ended(job.name(), Duration.between(start, now), error == null);
    // Some jobs run four times a minute and log their work themselves.
    LOG.atDebug()
        .addKeyValue("job", job.name())
        .addKeyValue("took", Duration.between(start, now))
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
        nextRun);
  }
}
