package io.hdfsraid.raidnode.health;

import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Knows since when the NameNode cannot be worked with, and says so in the log: once when it goes,
 * once a minute, and once when it returns. Meanwhile all jobs fail, for this one reason. Safe for
 * concurrent use.
 */
public final class NameNodeWatch implements KnownTrouble {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeWatch.class);
  private static final Duration EVERY = Duration.ofMinutes(1);

  /** What fails together needs one look. An older look may be from before the NameNode went. */
  private static final Duration FRESH = Duration.ofMillis(200);

  private final String nameNode;
  private final Supplier<Optional<String>> probe;
  private final Clock clock;
  private final LongSupplier nanos;
  private volatile Optional<Outage> outage = Optional.empty();
  private Optional<Long> lookedAt = Optional.empty();
  private long beganAt;
  private long saidAt;

  /**
   * A time in which nothing can be changed on HDFS.
   *
   * @param why what the NameNode, or the attempt to reach it, says
   */
  public record Outage(String nameNode, Instant since, String why) {}

  /**
   * @param nameNode its address, for messages
   * @param probe returns why nothing can be changed now; empty if the NameNode is well
   */
  public NameNodeWatch(String nameNode, Supplier<Optional<String>> probe, Clock clock) {
    this(nameNode, probe, clock, System::nanoTime);
  }

  NameNodeWatch(
      String nameNode, Supplier<Optional<String>> probe, Clock clock, LongSupplier nanos) {
    this.nameNode = nameNode;
    this.probe = probe;
    this.clock = clock;
    this.nanos = nanos;
  }

  /** Returns the outage that goes on; empty if the NameNode was well when it was last asked. */
  public Optional<Outage> outage() {
    return outage;
  }

  /** Asks the NameNode. */
  public synchronized void look() {
    Optional<String> why = probe.get();
    long now = nanos.getAsLong();
    lookedAt = Optional.of(now);
    if (why.isEmpty()) {
      outage.ifPresent(
          over ->
              LOG.info(
                  "NameNode {} answers again after {}; everything goes on",
                  nameNode,
                  seconds(now - beganAt)));
      outage = Optional.empty();
      return;
    }
    if (outage.isEmpty()) {
      beganAt = now;
      saidAt = now;
      LOG.warn(
          "NameNode {} does not answer: {}; raiding, repairs and scrubs wait", nameNode, why.get());
      outage = Optional.of(new Outage(nameNode, clock.instant(), why.get()));
    } else if (now - saidAt >= EVERY.toNanos()) {
      saidAt = now;
      LOG.warn(
          "NameNode {} has not answered for {}: {}", nameNode, seconds(now - beganAt), why.get());
    }
  }

  private static String seconds(long nanos) {
    return Duration.ofNanos(nanos).toSeconds() + " s";
  }

  /** Asks the NameNode, unless it was asked a moment ago. */
  @Override
  public boolean explains(Throwable failure) {
    if (!(failure instanceof IOException) && !(failure instanceof UncheckedIOException)) {
      return false;
    }
    if (outage.isPresent()) {
      return true;
    }
    synchronized (this) {
      long now = nanos.getAsLong();
      if (lookedAt.filter(at -> now - at < FRESH.toNanos()).isEmpty()) {
        look();
      }
      return outage.isPresent();
    }
  }
}
