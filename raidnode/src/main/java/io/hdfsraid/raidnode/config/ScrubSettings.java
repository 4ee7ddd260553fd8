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
 * How all stripes are scrubbed in the background: one scrub asks the DataNodes for checksums, the
 * other reads all bytes.
 *
 * @param workers parity files whose stripes each of the two scrubs checks at the same time; default
 *     2
 * @param checksumsPerSecond replicas asked for; default 200, 0 for no limit
 * @param bytesPerSecond read, all workers together; default 50 MB, 0 for no limit
 * @param bytesPerSecondPerDataNode read from any one DataNode; default 10 MB, 0 for no limit
 * @param presenceEvery every replica is asked for again no sooner than this; default 6 hours, 0 for
 *     never
 * @param deepEvery every replica is read again no sooner than this; default 30 days, 0 for never
 * @param firstRead by when newly raided stripes should have been read; default 7 days
 */
public record ScrubSettings(
    @Min(1) @Max(256) Integer workers,
    @Min(0) @Max(1_000_000) Integer checksumsPerSecond,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecond,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecondPerDataNode,
    @MinDuration(value = 0, unit = TimeUnit.SECONDS) @MaxDuration(value = 365, unit = TimeUnit.DAYS)
        Duration presenceEvery,
    @MinDuration(value = 0, unit = TimeUnit.SECONDS)
        @MaxDuration(value = 3650, unit = TimeUnit.DAYS)
        Duration deepEvery,
    @MinDuration(value = 1, unit = TimeUnit.HOURS) @MaxDuration(value = 3650, unit = TimeUnit.DAYS)
        Duration firstRead) {
  public ScrubSettings {
    workers = requireNonNullElse(workers, 2);
    checksumsPerSecond = requireNonNullElse(checksumsPerSecond, 200);
    bytesPerSecond = requireNonNullElse(bytesPerSecond, DataSize.megabytes(50));
    bytesPerSecondPerDataNode =
        requireNonNullElse(bytesPerSecondPerDataNode, DataSize.megabytes(10));
    presenceEvery = requireNonNullElse(presenceEvery, Duration.hours(6));
    deepEvery = requireNonNullElse(deepEvery, Duration.days(30));
    firstRead = requireNonNullElse(firstRead, Duration.days(7));
  }
}
