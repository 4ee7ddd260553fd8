// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.tasks;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hdfsraid.raidapi.Absent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How much of a task is done. A step is a file, a group of small files or a stripe.
 *
 * @param percent 0 to 100, by bytes if the task reads any, else by steps
 * @param stepsDone number of steps that were carried out
 * @param stepsFailed number of steps that were not carried out
 * @param steps number of steps in all
 * @param bytesDone bytes read so far, of those that were planned
 * @param bytes bytes that were planned to be read; 0 if the task reads none
 * @param bytesPerSecond average since the task began
 * @param eta expected time until the end, at the average rate; empty if the task does not run, or
 *     has done nothing yet
 * @param lastProgressAt when anything was done last; empty if nothing was done yet
 */
public record TaskProgress(
    double percent,
    long stepsDone,
    long stepsFailed,
    long steps,
    long bytesDone,
    long bytes,
    long bytesPerSecond,
    @JsonProperty("etaSeconds") Optional<Duration> eta,
    Optional<Instant> lastProgressAt) {
  /** Nothing is done, and nothing is known of what is to be done. */
  public static final TaskProgress NONE =
      new TaskProgress(0, 0, 0, 0, 0, 0, 0, Optional.empty(), Optional.empty());

  public TaskProgress {
    eta = Absent.toEmpty(eta);
    lastProgressAt = Absent.toEmpty(lastProgressAt);
  }
}
