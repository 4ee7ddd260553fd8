// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.editlog;

import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.NamespaceEvent.Deleted;
import io.hdfsraid.recency.namespace.NamespaceEvent.FileCreated;
import io.hdfsraid.recency.namespace.NamespaceEvent.Renamed;
import io.hdfsraid.recency.namespace.Watermark;
import io.hdfsraid.recency.source.SourceState;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Follows the edit log of the NameNode. Each call of {@link #follow} continues at the watermark of
 * the sink, so a restart, a failover or a failing sink neither loses nor repeats an event. If
 * transactions are missing in the log, the follower requests an image once and waits until the
 * watermark has moved. One thread calls {@link #follow}; the other methods are safe for concurrent
 * use.
 */
public final class EditLogFollower {
  /** The name of the source. */
  public static final String SOURCE = "inotify";

  private static final Logger LOG = LoggerFactory.getLogger(EditLogFollower.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** The longest time that a failover may take. */
  private static final Duration FAILOVER = Duration.ofMinutes(10);

  /** The greatest number of answers of the NameNode that one call applies. */
  private static final int ANSWERS = 10_000;

  private static final long NOWHERE = -1;

  private final EditLog log;
  private final EventSink sink;
  private final ImageRequest reconciliation;
  private final String ownRoot;
  private final String belowOwnRoot;
  private final Clock clock;

  /** The watermark when an image was requested; empty if none is awaited. */
  private volatile OptionalLong stuckAt = OptionalLong.empty();

  /** Whether the NameNode was set back and writes another history than the one taken in. */
  private boolean setBack;

  /** Since when the NameNode has reported fewer transactions than were taken in. */
  private Optional<Instant> setBackSince = Optional.empty();

  /** Whether the last answer reached the end of the log. */
  private boolean atEnd;

  private Duration pause = Duration.ZERO;
  private Instant notBefore = Instant.MIN;

  // Guarded by this: values that other threads read.
  private long position = NOWHERE;
  private long newest;
  private Instant moved;
  private Optional<Instant> heard = Optional.empty();
  private long told;
  private Optional<String> problem = Optional.empty();
  private long events;
  private long silent;
  private long own;
  private long failures;
  private long gaps;

  /**
   * Creates a follower, which has read nothing yet.
   *
   * @param ownRoot the directory of the parity, whose events are dropped
   */
  public EditLogFollower(
      EditLog log, EventSink sink, ImageRequest reconciliation, String ownRoot, Clock clock) {
    this.log = log;
    this.sink = sink;
    this.reconciliation = reconciliation;
    this.ownRoot = ownRoot;
    this.belowOwnRoot = ownRoot + "/";
    this.clock = clock;
    this.moved = clock.instant();
  }

  /**
   * Applies new transactions to the index. If the log cannot be read, the {@linkplain #state state}
   * shows the problem and a later call tries again, with a backoff from one second to one minute.
   *
   * @return whether the end of the log was reached
   * @throws InterruptedException if the thread is interrupted
   */
  public boolean follow() throws InterruptedException {
    if (isPausing()) {
      return false;
    }
    try {
      int answers = 0;
      atEnd = false;
      for (; answers < ANSWERS && takeIn(); answers++) {
        if (Thread.interrupted()) {
          throw new InterruptedException("Interrupted between two answers of the NameNode");
        }
      }
      pause = Duration.ZERO;
      notBefore = Instant.MIN;
      return atEnd && !awaitsImage() && setBackSince.isEmpty();
    } catch (MissedEditsException e) {
      awaitImage(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      if (Thread.interrupted()) { // Hadoop's client turns it into one of many exceptions
        throw interrupted(e);
      }
      postpone(e);
    }
    return false;
  }

  /** A clock that was set back ends a pause, or it could last for ever. */
  private boolean isPausing() {
    Instant now = clock.instant();
    return now.isBefore(notBefore) && notBefore.minus(pause).compareTo(now) <= 0;
  }

  /**
   * Awaits an image, because the NameNode was set back. The log cannot always show that: by now the
   * NameNode may have written as many transactions as it had before.
   */
  public void wasSetBack(String because) {
    stuckAt = OptionalLong.empty(); // an image that closes a gap of the other history is none
    awaitImage(because);
    setBack = true;
  }

  /** Goes on from an image that was read just now, whatever its transaction. */
  public void imageWasRead() {
    stuckAt = OptionalLong.empty();
    setBack = false;
    setBackSince = Optional.empty();
  }

  /** Returns whether an image is needed before the log can be followed. */
  public boolean awaitsImage() {
    return stuckAt.isPresent();
  }

  /**
   * Returns the transaction that an image must exceed to close the gap. Empty if no image is
   * awaited, or if the awaited one belongs to another history.
   */
  public OptionalLong gap() {
    return setBack || stuckAt.isEmpty() || stuckAt.getAsLong() < 0 ? OptionalLong.empty() : stuckAt;
  }

  private static InterruptedException interrupted(IOException cause) {
    InterruptedException interrupted = new InterruptedException("Interrupted at the NameNode");
    interrupted.initCause(cause);
    return interrupted;
  }

  /** Applies one answer; returns false if there are no more transactions now. */
  private boolean takeIn() throws IOException {
    Optional<Watermark> watermark = sink.watermark(SOURCE);
    if (watermark.isEmpty()) {
      awaitImage("No image of the namespace has been taken in yet");
      return false;
    }
    long known = position(watermark.get());
    if (stuckAt.isPresent() && stuckAt.getAsLong() == known) {
      setBack |= known >= 0 && isSetBack(known, log.newest());
      return false;
    }
    stuckAt = OptionalLong.empty();
    setBack = false;
    EditBatch edits = log.after(known);
    if (edits.last() == known) {
      requireSameHistory(known, edits.newest());
      atEnd = edits.newest() <= known;
      note(known, edits, 0);
      return false;
    }
    setBackSince = Optional.empty();
    List<NamespaceEvent> ofUsers = edits.events().stream().filter(this::isOfUsers).toList();
    sink.apply(ofUsers, edits.last(), new Watermark(SOURCE, Long.toString(edits.last())));
    note(edits.last(), edits, ofUsers.size());
    atEnd = edits.last() >= edits.newest();
    return !atEnd; // a busy NameNode has always written more by now
  }

  private long position(Watermark watermark) {
    try {
      return Long.parseLong(watermark.position());
    } catch (NumberFormatException e) {
      throw new IllegalStateException(
          "The index says that %s is at '%s', which is not a transaction: delete the catalog, it will be rebuilt"
              .formatted(SOURCE, watermark.position()),
          e);
    }
  }

  /**
   * Checks whether the NameNode was set back to an earlier image: it then uses the same numbers
   * again for other transactions. A new active NameNode also reports an old number during a
   * failover, until it has read the edits of the other one. So the state must last for a while.
   */
  private void requireSameHistory(long known, long told) throws IOException {
    if (isSetBack(known, told)) {
      long written = log.newest();
      if (written >= 0 && written < known) {
        awaitImage(
            "Transactions up to %d were taken in, but the NameNode has written only %d: it was set back"
                .formatted(known, written));
        setBack = true;
      }
    }
  }

  private boolean isSetBack(long known, long told) {
    Instant now = clock.instant();
    if (told <= 0 || told >= known) {
      setBackSince = Optional.empty();
    } else if (setBackSince.isEmpty()) {
      setBackSince = Optional.of(now);
    }
    return setBackSince
        .filter(since -> Duration.between(since, now).compareTo(FAILOVER) >= 0)
        .isPresent();
  }

  private void awaitImage(String because) {
    long standing = sink.watermark(SOURCE).map(this::position).orElse(NOWHERE);
    if (stuckAt.isPresent() && stuckAt.getAsLong() == standing) {
      return;
    }
    stuckAt = OptionalLong.of(standing);
    synchronized (this) {
      gaps++;
      position = standing;
      problem = Optional.of(because + "; waiting for an image");
    }
    LOG.atLevel(standing == NOWHERE ? Level.INFO : Level.WARN)
        .addKeyValue("because", because)
        .log("The namespace must be read anew");
    reconciliation.ask(because);
  }

  private void postpone(IOException e) {
    pause = pause.isZero() ? FIRST_PAUSE : pause.multipliedBy(2);
    if (pause.compareTo(LONGEST_PAUSE) > 0) {
      pause = LONGEST_PAUSE;
    }
    notBefore = clock.instant().plus(pause);
    String text = String.valueOf(e.getMessage()).lines().findFirst().orElse(e.toString());
    Optional<String> now = Optional.of("The edit log cannot be read: " + text);
    boolean news;
    synchronized (this) {
      failures++;
      news = !now.equals(problem);
      problem = now;
    }
    LOG.atLevel(news ? Level.WARN : Level.DEBUG)
        .addKeyValue("again", notBefore.truncatedTo(ChronoUnit.SECONDS))
        .addKeyValue("because", text)
        .log("The edit log cannot be read; it is tried again with growing pauses");
  }

  /** A rename into our root or out of it also concerns a file of a user. */
  private boolean isOfUsers(NamespaceEvent event) {
    return !isOwn(event.path()) || (event instanceof Renamed renamed && !isOwn(renamed.to()));
  }

  private boolean isOwn(String path) {
    return path.startsWith(belowOwnRoot) || path.equals(ownRoot);
  }

  private synchronized void note(long reached, EditBatch edits, int ofUsers) {
    Instant now = clock.instant();
    if (stuckAt.isEmpty()) {
      problem = Optional.empty();
    }
    if (reached != position || reached >= edits.newest()) {
      moved = now; // a follower at the end of the log is up to date
    }
    if (reached == edits.newest()) {
      heard = Optional.of(now);
    }
    told = Math.max(told, newest(edits.events()));
    position = reached;
    newest = Math.max(reached, edits.newest());
    events += ofUsers;
    silent += edits.silent();
    own += edits.events().size() - ofUsers;
  }

  /** Only times that the NameNode sets itself count, because users may set any access time. */
  private static long newest(List<NamespaceEvent> events) {
    long newest = 0;
    for (NamespaceEvent event : events) {
      if (event instanceof FileCreated created) {
        newest = Math.max(newest, created.at());
      } else if (event instanceof Deleted deleted) {
        newest = Math.max(newest, deleted.at());
      } else if (event instanceof Renamed renamed) {
        newest = Math.max(newest, renamed.at());
      }
    }
    return newest;
  }

  /** Returns the state of the source. */
  public synchronized SourceState state() {
    Instant now = clock.instant();
    long behind = position == NOWHERE ? 0 : Math.max(0, newest - position);
    return new SourceState(
        SOURCE,
        Optional.empty(),
        position == NOWHERE ? "" : Long.toString(position),
        heard,
        told == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(told)),
        behind == 0 ? Duration.ZERO : Duration.between(moved, now),
        problem,
        Map.of(
            "events", events,
            "events.silent", silent,
            "events.own", own,
            "transactions.behind", behind,
            "failures", failures,
            "gaps", gaps));
  }
}
