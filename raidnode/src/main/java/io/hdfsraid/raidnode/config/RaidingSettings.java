package io.hdfsraid.raidnode.config;

import static java.util.Objects.requireNonNullElse;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;

/**
 * How files are raided.
 *
 * @param workers files that are encoded at the same time; default 2
 * @param maxUnaudited stripes that may wait for the audit of their placement before more files are
 *     reduced: until then they bear less than their code promises; default 64
 */
public record RaidingSettings(
    @Min(1) @Max(256) Integer workers, @Min(1) @Max(1_000_000) Integer maxUnaudited) {
  public RaidingSettings {
    workers = requireNonNullElse(workers, 2);
    maxUnaudited = requireNonNullElse(maxUnaudited, 64);
  }
}
