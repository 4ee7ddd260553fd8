// SPDX-License-Identifier: Apache-2.0
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
 * @param engine where stripes are repaired that tolerate another loss; default {@code local}
 * @param bulkFrom number of stripes that wait from which the engine {@code auto} repairs in
 *     containers; default 500
 * @param workers stripes that are repaired at the same time; default 4
 * @param bytesPerSecond read and written, all workers together; default 400 MB, 0 for no limit
 * @param bytesPerSecondPerDataNode read from and written to any one DataNode; default 40 MB, 0 for
 *     no limit
 * @param urgentBytesPerSecond read and written for stripes that tolerate no further loss, besides
 *     the others; default 400 MB, 0 for no limit
 * @param delay how long a silent node may take to come back before its units are rebuilt; a stripe
 *     that tolerates no further loss never waits; default 15 minutes
 * @param retryAfter wait after the first attempt that failed, then twice as long each time, up to
 *     an hour; default 1 minute
 * @param parkAfter failures in a row after which a repair is parked until an operator asks for it;
 *     default 10
 * @param stormNodes number of DataNodes that go silent within an hour, at which all repairs pause
 *     except those of stripes that tolerate no further loss; default 10
 * @param stormPercent share of all stripes with lost units above which the same repairs pause;
 *     default 50, 100 for never
 * @param hedgeAfter how long a row of a stripe waits for a slow DataNode before other units are
 *     read beside it; default 0 for as long as it takes
 */
public record RepairSettings(
    RepairEngineName engine,
    @Min(1) @Max(100_000_000) Integer bulkFrom,
    @Min(1) @Max(256) Integer workers,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecond,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecondPerDataNode,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize urgentBytesPerSecond,
    @MinDuration(value = 0, unit = TimeUnit.SECONDS) @MaxDuration(value = 7, unit = TimeUnit.DAYS)
        Duration delay,
    @MinDuration(value = 1, unit = TimeUnit.SECONDS) @MaxDuration(value = 1, unit = TimeUnit.DAYS)
        Duration retryAfter,
    @Min(1) @Max(1_000) Integer parkAfter,
    @Min(1) @Max(1_000_000) Integer stormNodes,
    @Min(0) @Max(100) Integer stormPercent,
    @MinDuration(value = 0, unit = TimeUnit.SECONDS) @MaxDuration(value = 1, unit = TimeUnit.HOURS)
        Duration hedgeAfter) {
  public RepairSettings {
    engine = requireNonNullElse(engine, RepairEngineName.LOCAL);
    bulkFrom = requireNonNullElse(bulkFrom, 500);
    workers = requireNonNullElse(workers, 4);
    bytesPerSecond = requireNonNullElse(bytesPerSecond, DataSize.megabytes(400));
    bytesPerSecondPerDataNode =
        requireNonNullElse(bytesPerSecondPerDataNode, DataSize.megabytes(40));
    urgentBytesPerSecond = requireNonNullElse(urgentBytesPerSecond, DataSize.megabytes(400));
    delay = requireNonNullElse(delay, Duration.minutes(15));
    retryAfter = requireNonNullElse(retryAfter, Duration.minutes(1));
    parkAfter = requireNonNullElse(parkAfter, 10);
    stormNodes = requireNonNullElse(stormNodes, 10);
    stormPercent = requireNonNullElse(stormPercent, 50);
    hedgeAfter = requireNonNullElse(hedgeAfter, Duration.seconds(0));
  }
}
