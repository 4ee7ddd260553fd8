// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.raidnode.access.TicketException;
import io.hdfsraid.raidnode.access.TicketReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.KerberosUtil;
import org.apache.hadoop.security.authentication.util.SubjectUtil;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSCredential;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.GSSManager;
import org.ietf.jgss.Oid;

/**
 * Reads tickets with the keys of a service principal, by SPNEGO (RFC 4178) or by Kerberos alone.
 * Java remembers the tickets of the last minutes and rejects one that is sent twice. It reads the
 * keytab again when the file changes. No KDC is asked.
 */
public final class ServiceTickets implements TicketReader {
  private static final int MOST_CAUSES = 20;

  /** Of a reason, which may quote what somebody unknown has sent. */
  private static final int MOST_LETTERS = 300;

  /** How tokens of NTLM begin. A browser without a ticket sends them. */
  private static final byte[] NTLM = {'N', 'T', 'L', 'M', 'S', 'S', 'P'};

  private final KerberosPrincipal service;
  private final Subject subject;
  private final Oid spnego = oid("1.3.6.1.5.5.2");
  private final Oid kerberos = oid("1.2.840.113554.1.2.2");
  private final Oid principalName = oid("1.2.840.113554.1.2.2.1");

  /**
   * @param principal its service, such as {@code HTTP/raid1.example.com@EXAMPLE.COM}
   * @param keytab file with its keys
   */
  public ServiceTickets(String principal, Path keytab) {
    service = new KerberosPrincipal(principal);
    subject =
        new Subject(
            true, Set.of(service), Set.of(), Set.of(KeyTab.getInstance(service, keytab.toFile())));
  }

  @Override
  public Ticket read(byte[] token) throws TicketException {
    requireOurs(token);
    try {
      return SubjectUtil.callAs(subject, () -> accept(token));
    } catch (CompletionException e) {
      throw refused(reasons(e.getCause()), e);
    } catch (RuntimeException e) { // Java's parser was not made for all that may arrive
      throw refused(reasons(e), e);
    }
  }

  /**
   * The name of the service stands in a ticket in clear text, and Java looks up the tickets that it
   * remembers by this name. Whoever changes it could send a ticket twice.
   */
  private void requireOurs(byte[] token) throws TicketException {
    String named;
    try {
      named = KerberosUtil.getTokenServerName(token);
    } catch (RuntimeException e) {
      throw refused(
          startsWith(token, NTLM)
              ? "the client has sent NTLM: it has no ticket, or does not trust this address"
              : "what the client has sent cannot be read as one",
          e);
    }
    if (!named.equals(service.getName())) {
      throw refused(
          "it is for %s: does the client's URL have the host of this principal?".formatted(named),
          null);
    }
  }

  private Ticket accept(byte[] token) throws GSSException, TicketException {
    GSSManager manager = GSSManager.getInstance();
    GSSCredential keys =
        manager.createCredential(
            manager.createName(service.getName(), principalName),
            GSSCredential.INDEFINITE_LIFETIME,
            new Oid[] {spnego, kerberos},
            GSSCredential.ACCEPT_ONLY);
    GSSContext context = manager.createContext(keys);
    try {
      byte[] answer = context.acceptSecContext(token, 0, token.length);
      if (!context.isEstablished()) {
        // A request is answered on its own; there is no connection that could remember a half.
        throw new TicketException("the client does not begin with a Kerberos ticket", null);
      }
      return new Ticket(
          context.getSrcName().toString(),
          Optional.ofNullable(answer).filter(bytes -> bytes.length > 0));
    } finally {
      context.dispose();
      keys.dispose();
    }
  }

  /**
   * Gets a ticket of the service for whoever this process is logged in as, and reads it. This
   * proves the principal, the keytab and the clocks.
   *
   * @throws IOException if the KDC gives no ticket
   * @throws TicketException if the ticket is not accepted here
   */
  public Ticket tryOwn() throws IOException, TicketException {
    try {
      return read(
          UserGroupInformation.getLoginUser()
              .doAs((PrivilegedExceptionAction<byte[]>) this::ownTicket));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while a KDC was asked");
    }
  }

  private byte[] ownTicket() throws IOException {
    GSSManager manager = GSSManager.getInstance();
    try {
      GSSContext context =
          manager.createContext(
              manager.createName(service.getName(), principalName),
              spnego,
              null,
              GSSContext.DEFAULT_LIFETIME);
      try {
        return context.initSecContext(new byte[0], 0, 0);
      } finally {
        context.dispose();
      }
    } catch (GSSException e) {
      throw new IOException(
          "The KDC gives no ticket for %s: %s".formatted(service.getName(), e.getMessage()), e);
    }
  }

  private TicketException refused(String reasons, Throwable cause) {
    String said =
        reasons.length() > MOST_LETTERS ? reasons.substring(0, MOST_LETTERS) + "…" : reasons;
    return new TicketException(
        "A Kerberos ticket for %s is not accepted: %s%s"
            .formatted(service.getName(), said, advice(reasons)),
        cause);
  }

  private static String reasons(Throwable failure) {
    return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
        .limit(MOST_CAUSES)
        .map(cause -> cause.getMessage() == null ? cause.toString() : cause.getMessage())
        .reduce((first, second) -> first.contains(second) ? first : first + ": " + second)
        .orElseThrow();
  }

  private static boolean startsWith(byte[] token, byte[] beginning) {
    return token.length >= beginning.length
        && Arrays.equals(token, 0, beginning.length, beginning, 0, beginning.length);
  }

  /** Translates the reasons that an administrator meets first. */
  private static String advice(String reasons) {
    if (reasons.contains("Clock skew") || reasons.contains("Ticket not yet valid")) {
      return ". The clocks of the client and of this machine differ by more than Kerberos allows: synchronize them";
    }
    if (reasons.contains("replay")) {
      return ". Somebody has sent the same ticket a second time: a client that repeats requests, or an attacker";
    }
    if (Stream.of(
            "Cannot find key", "Specified version of key", "Checksum failed", "Integrity check")
        .anyMatch(reasons::contains)) {
      return ". The KDC has other keys for this principal than the keytab: make the keytab anew";
    }
    return "";
  }

  private static Oid oid(String number) {
    try {
      return new Oid(number);
    } catch (GSSException e) {
      throw new IllegalStateException(number, e);
    }
  }
}
