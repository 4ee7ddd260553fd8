package io.hdfsraid.raidnode.schedule;

import java.time.Duration;

/** Hears of each run of a job after its end. */
@FunctionalInterface
public interface JobListener {
  void ended(String job, Duration took, boolean succeeded);
}
