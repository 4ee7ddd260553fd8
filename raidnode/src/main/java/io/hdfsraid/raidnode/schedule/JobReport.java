// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.schedule;

import java.time.Instant;
import java.util.Optional;

/**
 * The state of a job.
 *
 * @param lastStart start of the running or the last run
 * @param lastEnd end of the last run, successful or not
 * @param lastSuccess start of the last successful run
 * @param lastError why the last run failed; empty if it did not
 * @param failing what is wrong if the job has failed for far too long, and no known trouble
 *     explains it
 * @param stall what is wrong if the job has not ended, or not started, for far too long
 * @param nextRun empty when the daemon stops
 */
public record JobReport(
    String name,
    String cron,
    boolean running,
    Optional<Instant> lastStart,
    Optional<Instant> lastEnd,
    Optional<Instant> lastSuccess,
    Optional<String> lastError,
    Optional<String> failing,
    Optional<String> stall,
    Optional<Instant> nextRun) {}
