// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.schedule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;

/**
 * A task with a schedule.
 *
 * @param name unique name, used by status, metrics and log
 * @param cron the schedule, as {@link Cron} understands it
 * @param missed how to handle runs that were due while the process was down or busy
 * @param lastRun when another process last started the job; empty if no run was missed
 * @param openEnded whether a run may last for any time, as long as there is work
 * @param evenInTrouble whether the job runs while a known trouble goes on. Others wait, and run as
 *     soon as it is over
 * @param task the task; it is interrupted when the daemon stops
 */
public record Job(
    String name,
    String cron,
    ZoneId zone,
    Missed missed,
    Optional<Instant> lastRun,
    boolean openEnded,
    boolean evenInTrouble,
    Task task) {
  public Job {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(cron, "cron");
    Objects.requireNonNull(zone, "zone");
    Objects.requireNonNull(missed, "missed");
    Objects.requireNonNull(lastRun, "lastRun");
    Objects.requireNonNull(task, "task");
  }

  /** Creates a job that makes up for runs missed in this process. */
  public Job(String name, String cron, ZoneId zone, Task task) {
    this(name, cron, zone, Missed.MADE_UP, Optional.empty(), false, false, task);
  }

  /** How to handle missed runs. */
  public enum Missed {
    /** One immediate run makes up for all missed runs. */
    MADE_UP,
    /** Missed runs are skipped. */
    SKIPPED
  }

  /** Returns a job that also makes up for runs missed since a run of another process. */
  public Job makingUpForRunsMissedSince(Instant last) {
    return new Job(
        name, cron, zone, Missed.MADE_UP, Optional.of(last), openEnded, evenInTrouble, task);
  }

  /** Returns a job that skips missed runs. */
  public Job skippingMissedRuns() {
    return new Job(
        name, cron, zone, Missed.SKIPPED, Optional.empty(), openEnded, evenInTrouble, task);
  }

  /** Returns a job whose runs may last for any time. */
  public Job lastingAsLongAsThereIsWork() {
    return new Job(name, cron, zone, missed, lastRun, true, evenInTrouble, task);
  }

  /** Returns a job that does not wait for the end of a known trouble. */
  public Job evenWhileTroubleIsOn() {
    return new Job(name, cron, zone, missed, lastRun, openEnded, true, task);
  }

  /** Returns a job with another task. */
  public Job doing(Task other) {
    return new Job(name, cron, zone, missed, lastRun, openEnded, evenInTrouble, other);
  }

  /** The task of a job. */
  @FunctionalInterface
  public interface Task {
    void run() throws Exception;
  }
}
