package io.hdfsraid.raidnode.schedule;

import java.time.ZoneId;
import java.util.Objects;

/**
 * Something that is done again and again.
 *
 * @param name unique; what status, metrics and log call it
 * @param cron when, as {@link Cron} understands it
 * @param task what; interrupted when the daemon stops
 */
public record Job(String name, String cron, ZoneId zone, Task task) {
  public Job {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(cron, "cron");
    Objects.requireNonNull(zone, "zone");
    Objects.requireNonNull(task, "task");
  }

  /** What a job does. */
  @FunctionalInterface
  public interface Task {
    void run() throws Exception;
  }
}
