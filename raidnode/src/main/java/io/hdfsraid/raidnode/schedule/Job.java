package io.hdfsraid.raidnode.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;

/**
 * Something that is done again and again.
 *
 * @param name unique; what status, metrics and log call it
 * @param cron when, as {@link Cron} understands it
 * @param missed what becomes of runs whose time came while the process was down or busy
 * @param lastRun when it began to run last, in another process; empty: nothing was missed
 * @param task what; interrupted when the daemon stops
 */
public record Job(
    String name, String cron, ZoneId zone, Missed missed, Optional<Instant> lastRun, Task task) {
  public Job {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(cron, "cron");
    Objects.requireNonNull(zone, "zone");
    Objects.requireNonNull(missed, "missed");
    Objects.requireNonNull(lastRun, "lastRun");
    Objects.requireNonNull(task, "task");
  }

  /** One that makes up for what it misses in this process. */
  public Job(String name, String cron, ZoneId zone, Task task) {
    this(name, cron, zone, Missed.MADE_UP, Optional.empty(), task);
  }

  /** What becomes of runs that were missed. */
  public enum Missed {
    /** One run, at once, makes up for all of them. */
    MADE_UP,
    /** The next is waited for. */
    SKIPPED
  }

  /** The same, that also makes up for what came after a run of another process. */
  public Job makingUpForRunsMissedSince(Instant last) {
    return new Job(name, cron, zone, Missed.MADE_UP, Optional.of(last), task);
  }

  /** The same, that waits for its next time. */
  public Job skippingMissedRuns() {
    return new Job(name, cron, zone, Missed.SKIPPED, Optional.empty(), task);
  }

  /** The same, that does something else. */
  public Job doing(Task other) {
    return new Job(name, cron, zone, missed, lastRun, other);
  }

  /** What a job does. */
  @FunctionalInterface
  public interface Task {
    void run() throws Exception;
  }
}
