// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that select a time. */
public final class TimeOptions {
  @Option(
      names = "--since",
      paramLabel = "TIME",
      converter = MomentConverter.class,
      description = "Only from this time on: 2026-11-25T16:20:11Z, or 2h, which means 2 hours ago.")
  private Instant since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = MomentConverter.class,
      description = "Only before this time.")
  private Instant until;

  public Optional<Instant> since() {
    return Optional.ofNullable(since);
  }

  public Optional<Instant> until() {
    return Optional.ofNullable(until);
  }

  /** Returns whether a moment is in this time. */
  public boolean holds(Instant moment) {
    return since().filter(moment::isBefore).isEmpty()
        && until().filter(end -> !moment.isBefore(end)).isEmpty();
  }
}
