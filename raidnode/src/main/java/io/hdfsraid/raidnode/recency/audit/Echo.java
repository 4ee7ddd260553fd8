package io.hdfsraid.raidnode.recency.audit;

import io.hdfsraid.raidnode.recency.source.OwnReads;
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
 * Whether what we open ourselves comes back in the logs. Only the active NameNode's has it, so it
 * shows that this one is followed and still arrives, also where nobody else reads anything. Safe
 * for concurrent use.
 */
final class Echo {
  private static final Logger LOG = LoggerFactory.getLogger(Echo.class);

  static final Duration BETWEEN = Duration.ofMinutes(5);

  /** Logs may be sent from other machines, now and then. */
  static final Duration PATIENCE = Duration.ofMinutes(30);

  /** By so much the clocks of a NameNode and of this machine may differ. */
  static final Duration SKEW = Duration.ofMinutes(5);

  private final OwnReads reads;
  private final Clock clock;
  private Instant notBefore = Instant.MIN;

  /** Since when what was opened has not been told of. */
  private Optional<Instant> unheard = Optional.empty();

  Echo(OwnReads reads, Clock clock) {
    this.reads = reads;
    this.clock = clock;
  }

  /** Opens something, unless it did just now. */
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
      LOG.atDebug().setCause(e).log("No file of ours can be opened: nothing is told of it");
      return;
    }
    synchronized (this) {
      unheard = unheard.or(() -> Optional.of(now));
    }
  }

  /**
   * A log tells of a read of ours.
   *
   * @param at by the clock of the NameNode
   */
  synchronized void heard(Instant at) {
    unheard = unheard.filter(since -> at.plus(SKEW).isBefore(since));
  }

  /** When the logs are silent that ought to tell. */
  synchronized Optional<String> problem() {
    return unheard
        .filter(since -> Duration.between(since, clock.instant()).compareTo(PATIENCE) > 0)
        .map(
            since ->
                "We have opened a file of our own since %s, again and again, and no log tells of it"
                    .formatted(since));
  }
}
