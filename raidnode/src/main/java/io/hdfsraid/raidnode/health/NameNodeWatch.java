// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import io.hdfsraid.raidnode.hdfs.NameNodeTrouble;
import io.hdfsraid.raidnode.schedule.Failures;
import io.hdfsraid.raidnode.schedule.KnownTrouble;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
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

  /**
   * Names what a NameNode throws that answers and cannot serve, and what a client throws that can
   * get no Kerberos ticket for it, by classes of HDFS.
   */
  private static final List<String> REFUSALS =
      List.of(
          "SafeMode",
          "safe mode",
          "StandbyException",
          "RetriableException",
          "GSSException",
          "GSS initiate failed",
          "KerberosAuthException",
          "Client cannot authenticate via");

  private final String nameNode;
  private final Supplier<Optional<NameNodeTrouble>> probe;
  private final Clock clock;
  private final LongSupplier nanos;
  private volatile Optional<Outage> outage = Optional.empty();
  private volatile Consumer<Outage> whenAway = begun -> {};
  private volatile Consumer<Outage> whenBack = over -> {};
  private volatile Optional<Long> askedAt = Optional.empty();
  private Optional<Long> lookBegan = Optional.empty();
  private long beganAt;
  private long saidAt;

  /**
   * A time in which nothing can be changed on HDFS.
   *
   * @param trouble as it was seen last
   */
  public record Outage(String nameNode, Instant since, NameNodeTrouble trouble) {
    /** Returns the outage for people, with its duration in whole minutes. */
    public String sentence(Instant now) {
      return "NameNode %s %s since %s (%d min): %s; raiding, repairs and scrubs wait"
          .formatted(
              nameNode,
              verb(trouble),
              since.truncatedTo(ChronoUnit.SECONDS),
              Duration.between(since, now).toMinutes(),
              trouble.why());
    }

    /** Returns for people that the outage is over. */
    public String end(Instant now) {
      return "NameNode %s is well again after %d s"
          .formatted(nameNode, Duration.between(since, now).toSeconds());
    }
  }

  private static String verb(NameNodeTrouble trouble) {
    return trouble.silent() ? "has not answered" : "cannot be worked with";
  }

  /**
   * @param nameNode its address, for messages
   * @param probe returns why nothing can be changed now; empty if the NameNode is well
   */
  public NameNodeWatch(String nameNode, Supplier<Optional<NameNodeTrouble>> probe, Clock clock) {
    this(nameNode, probe, clock, System::nanoTime);
  }

  NameNodeWatch(
      String nameNode, Supplier<Optional<NameNodeTrouble>> probe, Clock clock, LongSupplier nanos) {
    this.nameNode = nameNode;
    this.probe = probe;
    this.clock = clock;
    this.nanos = nanos;
  }

  /** Returns the outage that goes on; empty if the NameNode was well when it was last asked. */
  public Optional<Outage> outage() {
    return outage;
  }

  /** Sets what is done when an outage begins. */
  public void whenAway(Consumer<Outage> action) {
    whenAway = action;
  }

  /** Sets what is done when an outage is over. */
  public void whenBack(Consumer<Outage> action) {
    whenBack = action;
  }

  @Override
  public boolean isOn() {
    return outage.isPresent();
  }

  /** Asks the NameNode. */
  public synchronized void look() {
    lookBegan = Optional.of(nanos.getAsLong());
    Optional<NameNodeTrouble> trouble = ask();
    long now = nanos.getAsLong();
    if (trouble.isEmpty()) {
      if (outage.isPresent()) {
        Outage over = outage.get();
        outage = Optional.empty();
        LOG.info(
            "NameNode {} is well again after {}; everything goes on",
            nameNode,
            seconds(now - beganAt));
        whenBack.accept(over);
      }
      return;
    }
    if (outage.isEmpty()) {
      beganAt = now;
      saidAt = now;
      LOG.warn(
          "NameNode {} {}: {}; raiding, repairs and scrubs wait",
          nameNode,
          trouble.get().silent() ? "does not answer" : verb(trouble.get()),
          trouble.get().why());
      Outage begun = new Outage(nameNode, clock.instant(), trouble.get());
      outage = Optional.of(begun);
      whenAway.accept(begun);
      return;
    }
    outage = Optional.of(new Outage(nameNode, outage.get().since(), trouble.get()));
    if (now - saidAt >= EVERY.toNanos()) {
      saidAt = now;
      LOG.warn(
          "NameNode {} {} for {}: {}",
          nameNode,
          verb(trouble.get()),
          seconds(now - beganAt),
          trouble.get().why());
    }
  }

  private Optional<NameNodeTrouble> ask() {
    askedAt = Optional.of(nanos.getAsLong());
    try {
      return probe.get();
    } finally {
      askedAt = Optional.empty();
    }
  }

  /**
   * Returns for how long the NameNode has not answered the question that is under way; empty if
   * there is none. Answers at once.
   */
  Optional<Duration> unanswered() {
    return askedAt.map(at -> Duration.ofNanos(nanos.getAsLong() - at));
  }

  private static String seconds(long nanos) {
    return Duration.ofNanos(nanos).toSeconds() + " s";
  }

  /** Asks the NameNode, unless it was asked while this waited for its turn. */
  @Override
  public boolean explains(Throwable failure) {
    // Work that was cancelled says nothing of the NameNode, and cannot ask it.
    if (Failures.isInterrupt(failure) || !mayBeOutage(failure)) {
      return false;
    }
    if (outage.isPresent()) {
      return true;
    }
    long asked = nanos.getAsLong();
    synchronized (this) {
      // A look may take a minute, and others have waited for it. One that began before may be from
      // before the outage, however short before.
      if (outage.isEmpty() && lookBegan.filter(at -> at - asked >= 0).isEmpty()) {
        look();
      }
      return outage.isPresent();
    }
  }

  /** Returns whether it may have failed because the NameNode is away, or refused a change. */
  private static boolean mayBeOutage(Throwable failure) {
    return Failures.causes(failure)
        .anyMatch(
            cause ->
                Failures.isUnreached(cause)
                    || REFUSALS.stream().anyMatch(String.valueOf(cause.getMessage())::contains)
                    || REFUSALS.stream().anyMatch(cause.getClass().getName()::contains));
  }
}
