// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.auditlog;

import io.hdfsraid.recency.source.ProbeRead;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a file of our own regularly and checks that an audit log reports it. Only the log of the
 * active NameNode can report it. So this proves that the followed log is the right one and still
 * arrives, also if no other client reads a file. Safe for concurrent use.
 */
final class LivenessProbe {
  private static final Logger LOG = LoggerFactory.getLogger(LivenessProbe.class);

  static final Duration BETWEEN = Duration.ofMinutes(5);

  /** How long a log may take to arrive from another machine. */
  static final Duration PATIENCE = Duration.ofMinutes(30);

  /** The largest accepted difference between the clocks of the NameNode and of this machine. */
  static final Duration SKEW = Duration.ofMinutes(5);

  private final ProbeRead reads;
  private final Clock clock;
  private Instant notBefore = Instant.MIN;

  /** Since when our own reads have not been reported. */
  private Optional<Instant> unheard = Optional.empty();

  LivenessProbe(ProbeRead reads, Clock clock) {
    this.reads = reads;
    this.clock = clock;
  }

  /** Opens the file, unless it did so in the last minutes. */
  void call() {
    Instant now = clock.instant();
    synchronized (this) {
      if (now.isBefore(notBefore)) {
        return;
      }
      notBefore = now.plus(BETWEEN);
    }
    try {
      reads.open();
    } catch (IOException e) {
      if (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException)) {
        Thread.currentThread().interrupt();
      }
      LOG.atDebug().setCause(e).log("Our own file cannot be opened, so no audit log can report it");
      return;
    }
    synchronized (this) {
      unheard = unheard.or(() -> Optional.of(now));
    }
  }

  /**
   * A log has reported a read of ours.
   *
   * @param at by the clock of the NameNode
   */
  synchronized void heard(Instant at) {
    unheard = unheard.filter(since -> at.plus(SKEW).isBefore(since));
  }

  /** Returns the problem if the logs do not report our reads. */
  synchronized Optional<String> problem() {
    return unheard
        .filter(since -> Duration.between(since, clock.instant()).compareTo(PATIENCE) > 0)
        .map(
            since ->
                "Our own file has been opened regularly since %s, but no log reports it"
                    .formatted(since));
  }
}
