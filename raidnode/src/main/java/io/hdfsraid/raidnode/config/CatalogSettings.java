// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import io.dropwizard.util.Duration;
import io.dropwizard.validation.MinDuration;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Where the catalog of the daemon lies, and how much history it keeps.
 *
 * @param directory local directory, relative to the folder of the configuration file; default
 *     {@code ../data/catalog}
 * @param historyRetention how long the history is kept; default 90 days
 * @param historyLines most lines of the history to keep; default 1,000,000
 */
public record CatalogSettings(
    Path directory,
    @MinDuration(value = 1, unit = TimeUnit.HOURS) Duration historyRetention,
    @Min(1_000) @Max(100_000_000) Integer historyLines) {
  public CatalogSettings {
    directory = requireNonNullElse(directory, Path.of("..", "data", "catalog"));
    historyRetention = requireNonNullElse(historyRetention, Duration.days(90));
    historyLines = requireNonNullElse(historyLines, 1_000_000);
  }
}
