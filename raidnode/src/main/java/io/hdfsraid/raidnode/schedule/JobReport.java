package io.hdfsraid.raidnode.schedule;

import java.time.Instant;
import java.util.Optional;

/**
 * How a job stands.
 *
 * @param lastStart of the run that is under way, else of the last one
 * @param lastEnd of the last run that ended, well or not
 * @param lastSuccess when the last run that ended well began
 * @param lastError why the last run that ended failed; empty when it did not
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
    Optional<Instant> nextRun) {}
