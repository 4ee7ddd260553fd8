package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import io.dropwizard.util.Duration;
import io.dropwizard.validation.MinDuration;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The daemon's notebook, on a local disk.
 *
 * @param directory relative to the folder of the configuration file; default {@code
 *     ../data/catalog}
 * @param historyKept how long lines of the history are kept; default 90 days
 * @param historyLines how many lines of it are kept at most; default 1,000,000
 */
public record CatalogSettings(
    Path directory,
    @MinDuration(value = 1, unit = TimeUnit.HOURS) Duration historyKept,
    @Min(1_000) @Max(100_000_000) Integer historyLines) {
  public CatalogSettings {
    directory = requireNonNullElse(directory, Path.of("..", "data", "catalog"));
    historyKept = requireNonNullElse(historyKept, Duration.days(90));
    historyLines = requireNonNullElse(historyLines, 1_000_000);
  }
}
