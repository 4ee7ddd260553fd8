// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts lines that cannot be parsed and logs one of them per minute. Safe for concurrent use. */
final class DamagedLines {
  private static final Logger LOG = LoggerFactory.getLogger(DamagedLines.class);
  private static final Duration BETWEEN = Duration.ofMinutes(1);

  /** So many in a row mean that the format of the log is unknown. */
  private static final int IN_A_ROW = 100;

  private final Clock clock;
  private Instant notBefore = Instant.MIN;
  private long count;
  private long unnamed;
  private long inARow;
  private String last = "";

  DamagedLines(Clock clock) {
    this.clock = clock;
  }

  synchronized void add(Path file, long offset, LineProblem flaw) {
    count++;
    inARow++;
    last = "%s, the line at byte %d %s".formatted(file, offset, flaw);
    Instant now = clock.instant();
    if (now.isBefore(notBefore)) {
      unnamed++;
      return;
    }
    LOG.atWarn()
        .addKeyValue("file", file)
        .addKeyValue("offset", offset)
        .addKeyValue("because", flaw)
        .addKeyValue("othersSinceTheLast", unnamed)
        .log("A line of the audit log cannot be parsed");
    unnamed = 0;
    notBefore = now.plus(BETWEEN);
  }

  /** A line was parsed. */
  synchronized void sound() {
    inARow = 0;
  }

  synchronized long count() {
    return count;
  }

  /** Returns the problem if the file seems to be no audit log of Hadoop. */
  synchronized Optional<String> problem() {
    return inARow < IN_A_ROW
        ? Optional.empty()
        : Optional.of(
            "The last %d lines cannot be parsed; the latest: in %s".formatted(inARow, last));
  }
}
