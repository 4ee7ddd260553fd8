// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.raidnode.schedule.Failures;
import java.io.IOException;
import java.security.PrivilegedAction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.SubjectUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs this process in from a keytab, and again before its ticket ends. All of Hadoop's client in
 * this process then acts as that principal. Safe for concurrent use.
 */
public final class KerberosLogin {
  private static final Logger LOG = LoggerFactory.getLogger(KerberosLogin.class);
  private static final Duration EVERY = Duration.ofMinutes(1);

  /** Java says so when a KDC has taken the connection and closed it without an answer. */
  private static final String NO_REPLY = "Cannot get a KDC reply";

  /** The share of its life after which a ticket is replaced; Hadoop's own rule is the same. */
  private static final double DUE_AT = 0.8;

  private final KerberosIdentity identity;
  private final Clock clock;
  private boolean loggedIn;
  private volatile State state = new State(Optional.empty(), Optional.empty());
  private Instant saidAt = Instant.MIN;

  /**
   * When a KDC has refused the login; each attempt with a wrong key can count towards a lockout.
   */
  private Instant refusedAt = Instant.MIN;

  /**
   * How the login stands.
   *
   * @param ends the end of the newest ticket; empty before the first login
   * @param trouble why no new ticket was had; empty if all is well
   */
  public record State(Optional<Instant> ends, Optional<Trouble> trouble) {}

  /** The attempts to log in have failed since then. */
  public record Trouble(Instant since, String why) {}

  public KerberosLogin(KerberosIdentity identity, Clock clock) {
    this.identity = identity;
    this.clock = clock;
  }

  /**
   * Returns whether the ticket cache of this process's user has a valid ticket. Hadoop's client
   * then uses it; otherwise it looks for none again.
   */
  public static boolean hasTicketOfUser() throws IOException {
    return UserGroupInformation.getLoginUser().hasKerberosCredentials();
  }

  public String principal() {
    return identity.principal();
  }

  public State state() {
    return state;
  }

  /**
   * Logs in, unless this has been done.
   *
   * @throws KdcAwayException if no KDC answers
   * @throws IOException if the KDC refuses the login
   */
  public synchronized void logIn() throws IOException {
    if (loggedIn) {
      return;
    }
    try {
      UserGroupInformation.loginUserFromKeytab(identity.principal(), identity.keytab().toString());
    } catch (IOException e) {
      throw failure(e);
    }
    loggedIn = true;
    Optional<Ticket> ticket = ticket();
    state = new State(ticket.map(Ticket::ends), Optional.empty());
    LOG.info(
        "Logged in as {}; the ticket ends at {}",
        identity.principal(),
        ticket.map(Ticket::ends).map(Instant::toString).orElse("an unknown time"));
  }

  /**
   * Gets a new ticket if the present one is nearing its end; for a minute after a refusal of the
   * KDC it asks for none. Reports a failure in the log: once when it begins, once a minute, and
   * once when it is over.
   */
  public synchronized void renew() {
    Instant now = clock.instant();
    if (!now.isBefore(refusedAt) && now.isBefore(refusedAt.plus(EVERY))) {
      return;
    }
    try {
      if (ticket().filter(ticket -> !ticket.isDue(now)).isEmpty()) {
        // Hadoop drops the old ticket before it asks for a new one. While no KDC answers, that
        // would throw away a ticket that is valid for a long time yet.
        UserGroupInformation unused =
            UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                identity.principal(), identity.keytab().toString());
        // Otherwise Hadoop waits a minute after an attempt of its own.
        UserGroupInformation.getLoginUser().forceReloginFromKeytab();
      }
      succeeded(ticket().map(Ticket::ends));
    } catch (IOException e) {
      IOException failure = failure(e);
      if (!(failure instanceof KdcAwayException)) {
        refusedAt = now;
      }
      failed(failure.getMessage(), now);
    }
  }

  private void succeeded(Optional<Instant> ends) {
    state
        .trouble()
        .ifPresent(
            trouble ->
                LOG.info(
                    "Logged in as {} again after {} s; the ticket ends at {}",
                    identity.principal(),
                    Duration.between(trouble.since(), clock.instant()).toSeconds(),
                    ends.map(Instant::toString).orElse("an unknown time")));
    state = new State(ends, Optional.empty());
  }

  private void failed(String why, Instant now) {
    Trouble trouble = new Trouble(state.trouble().map(Trouble::since).orElse(now), why);
    if (state.trouble().isEmpty() || !now.isBefore(saidAt.plus(EVERY))) {
      saidAt = now;
      LOG.warn(
          "{}; the ticket {} at {}",
          why,
          state.ends().filter(now::isBefore).isPresent() ? "ends" : "has ended",
          state.ends().map(Instant::toString).orElse("an unknown time"));
    }
    state = new State(state.ends(), Optional.of(trouble));
  }

  private record Ticket(Instant begins, Instant ends) {
    static Ticket of(KerberosTicket ticket) {
      Instant begins =
          (ticket.getStartTime() == null ? ticket.getAuthTime() : ticket.getStartTime())
              .toInstant();
      return new Ticket(begins, ticket.getEndTime().toInstant());
    }

    boolean isDue(Instant now) {
      long life = Duration.between(begins, ends).toMillis();
      return !now.isBefore(begins.plusMillis((long) (life * DUE_AT)));
    }
  }

  /** Returns the ticket with which tickets for services are got. */
  private static Optional<Ticket> ticket() throws IOException {
    return UserGroupInformation.getLoginUser()
        .doAs(
            (PrivilegedAction<Optional<Ticket>>)
                () ->
                    SubjectUtil.current().getPrivateCredentials(KerberosTicket.class).stream()
                        .filter(ticket -> !ticket.isDestroyed())
                        .filter(ticket -> ticket.getServer().getName().startsWith("krbtgt/"))
                        .map(Ticket::of)
                        .max(Comparator.comparing(Ticket::ends)));
  }

  private IOException failure(IOException e) {
    String reason = reason(e);
    boolean away = isKdcAway(e);
    String message =
        "The Kerberos login as %s with %s fails: %s%s"
            .formatted(
                identity.principal(),
                identity.keytab(),
                away ? "no KDC answers: " : "",
                reason + advice(reason));
    return away ? new KdcAwayException(message, e) : new IOException(message, e);
  }

  /** Whether a login failed because no KDC has answered, not because of its answer. */
  static boolean isKdcAway(IOException failure) {
    return Failures.causes(failure)
        .anyMatch(
            cause ->
                Failures.isUnreached(cause)
                    || String.valueOf(cause.getMessage()).contains(NO_REPLY));
  }

  /** Translates the answers of a KDC that an administrator meets first. */
  private static String advice(String reason) {
    if (reason.contains("Clock skew")) {
      return ". The clocks of this machine and of the KDC differ by more than the KDC allows: synchronize them";
    }
    if (reason.contains("Client not found") || reason.contains("CLIENT_NOT_FOUND")) {
      return ". The KDC does not know this principal";
    }
    if (reason.contains("Checksum failed")
        || reason.contains("Pre-authentication information was invalid")
        || reason.contains("Integrity check on decrypted field failed")) {
      return ". The keytab is older than the key of the principal: make it anew";
    }
    return "";
  }

  private static String reason(IOException e) {
    Throwable deepest = Failures.causes(e).reduce((first, second) -> second).orElse(e);
    String said = deepest.getMessage();
    return said == null || said.isBlank()
        ? deepest.getClass().getSimpleName()
        : said.lines().findFirst().orElseThrow();
  }
}
