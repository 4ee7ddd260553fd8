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
 * How files are raided.
 *
 * @param workers files encoded at the same time; default 2
 * @param bytesPerSecond bytes per second read and written by all workers together; default 200 MB,
 *     0 for no limit
 * @param bytesPerSecondPerDataNode bytes per second read from and written to one DataNode; default
 *     20 MB, 0 for no limit
 * @param maxUnaudited stripes that may wait for their placement audit before further files are
 *     reduced; until the audit a stripe may tolerate fewer losses than its code promises; default
 *     64
 * @param quarantine how long retired parity is kept before it is purged; default 7 days
 */
public record RaidingSettings(
    @Min(1) @Max(256) Integer workers,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecond,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecondPerDataNode,
    @Min(1) @Max(1_000_000) Integer maxUnaudited,
    @MinDuration(value = 0, unit = TimeUnit.SECONDS) @MaxDuration(value = 365, unit = TimeUnit.DAYS)
        Duration quarantine) {
  public RaidingSettings {
    workers = requireNonNullElse(workers, 2);
    bytesPerSecond = requireNonNullElse(bytesPerSecond, DataSize.megabytes(200));
    bytesPerSecondPerDataNode =
        requireNonNullElse(bytesPerSecondPerDataNode, DataSize.megabytes(20));
    maxUnaudited = requireNonNullElse(maxUnaudited, 64);
    quarantine = requireNonNullElse(quarantine, Duration.days(7));
  }
}
