package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import io.dropwizard.util.DataSize;
import io.dropwizard.util.DataSizeUnit;
import io.dropwizard.util.Duration;
import io.dropwizard.validation.MaxDataSize;
import io.dropwizard.validation.MaxDuration;
import io.dropwizard.validation.MinDuration;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.concurrent.TimeUnit;

/**
 * How lost blocks are repaired.
 *
 * @param workers stripes that are repaired at the same time; default 4
 * @param bytesPerSecond read and written, all workers together; default 400 MB, 0 for no limit
 * @param bytesPerSecondPerDataNode read from and written to any one DataNode; default 40 MB, 0 for
 *     no limit
 * @param delay how long a node that does not answer may take to come back before what it held is
 *     rebuilt; a stripe that bears no further loss never waits; default 10 minutes
 * @param retryAfter wait after an attempt that failed; default 1 minute
 * @param parkAfter failures in a row after which a stripe is set aside until an operator asks for
 *     its repair; default 10
 */
public record RepairSettings(
    @Min(1) @Max(256) Integer workers,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecond,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecondPerDataNode,
    @MinDuration(value = 0, unit = TimeUnit.SECONDS) @MaxDuration(value = 7, unit = TimeUnit.DAYS)
        Duration delay,
    @MinDuration(value = 1, unit = TimeUnit.SECONDS) @MaxDuration(value = 1, unit = TimeUnit.DAYS)
        Duration retryAfter,
    @Min(1) @Max(1_000) Integer parkAfter) {
  public RepairSettings {
    workers = requireNonNullElse(workers, 4);
    bytesPerSecond = requireNonNullElse(bytesPerSecond, DataSize.megabytes(400));
    bytesPerSecondPerDataNode =
        requireNonNullElse(bytesPerSecondPerDataNode, DataSize.megabytes(40));
    delay = requireNonNullElse(delay, Duration.minutes(10));
    retryAfter = requireNonNullElse(retryAfter, Duration.minutes(1));
    parkAfter = requireNonNullElse(parkAfter, 10);
  }
}
