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
 * How files are raided.
 *
 * @param engine where files are encoded; default {@code local}
 * @param workers files encoded at the same time; default 2
 * @param bytesPerSecond bytes per second read and written by all workers together; default 200 MB,
 *     0 for no limit
 * @param bytesPerSecondPerDataNode bytes per second read from and written to one DataNode; default
 *     20 MB, 0 for no limit
 * @param maxUnaudited stripes that may wait for their placement audit before further files are
 *     reduced; until the audit a stripe may tolerate fewer losses than its code promises; default
 *     64
 * @param quarantine how long retired parity is kept before it is purged; default 7 days
 * @param retryAfter how long a file is left alone that could not be raided because of a DataNode;
 *     default 1 hour
 * @param lostParityPercent share of all raided files that may lose their parity at once before
 *     their replicas are brought back slowly; default 1
 * @param lostParityFilesPerSecond files whose replication is raised in a second then; default 100
 * @param lostParityStopAbove fullness of the cluster in percent above which none is raised then;
 *     default 85
 */
public record RaidingSettings(
    EngineName engine,
    @Min(1) @Max(256) Integer workers,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecond,
    @MaxDataSize(value = 1, unit = DataSizeUnit.TERABYTES) DataSize bytesPerSecondPerDataNode,
    @Min(1) @Max(1_000_000) Integer maxUnaudited,
    @MinDuration(value = 0, unit = TimeUnit.SECONDS) @MaxDuration(value = 365, unit = TimeUnit.DAYS)
        Duration quarantine,
    @MinDuration(value = 1, unit = TimeUnit.SECONDS) @MaxDuration(value = 7, unit = TimeUnit.DAYS)
        Duration retryAfter,
    @Min(0) @Max(100) Integer lostParityPercent,
    @Min(1) @Max(100_000) Integer lostParityFilesPerSecond,
    @Min(1) @Max(100) Integer lostParityStopAbove) {
  public RaidingSettings {
    engine = requireNonNullElse(engine, EngineName.LOCAL);
    workers = requireNonNullElse(workers, 2);
    bytesPerSecond = requireNonNullElse(bytesPerSecond, DataSize.megabytes(200));
    bytesPerSecondPerDataNode =
        requireNonNullElse(bytesPerSecondPerDataNode, DataSize.megabytes(20));
    maxUnaudited = requireNonNullElse(maxUnaudited, 64);
    quarantine = requireNonNullElse(quarantine, Duration.days(7));
    retryAfter = requireNonNullElse(retryAfter, Duration.hours(1));
    lostParityPercent = requireNonNullElse(lostParityPercent, 1);
    lostParityFilesPerSecond = requireNonNullElse(lostParityFilesPerSecond, 100);
    lostParityStopAbove = requireNonNullElse(lostParityStopAbove, 85);
  }
}
