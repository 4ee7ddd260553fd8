// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidnode.access.AccessToken;
import io.hdfsraid.raidnode.access.Cause;
import io.hdfsraid.raidnode.access.KerberosCallers;
import io.hdfsraid.raidnode.access.KnownBy;
import io.hdfsraid.raidnode.access.KnownTokens;
import io.hdfsraid.raidnode.access.Person;
import io.hdfsraid.raidnode.access.Role;
import io.hdfsraid.raidnode.access.TicketException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out who sends a request. A request with a token comes from the user of the token, and one
 * with a Kerberos ticket (SPNEGO, RFC 4559) from the user of its principal. One with neither comes
 * from somebody on this machine if the settings give such requests a role.
 */
public final class Authentication {
  /**
   * The longest header that is read. A ticket lists the groups of its user, so it is longer than
   * what Jetty takes by itself; Hadoop's servers have the same limit.
   */
  public static final int MOST_HEADER_BYTES = 64 << 10;

  private static final String HEADER = "Authorization";
  private static final String CHALLENGE = "WWW-Authenticate";
  private static final String BEARER = "Bearer";
  private static final String NEGOTIATE = "Negotiate";
  private static final String SOMEBODY = "somebody";

  /** Headers that proxies add. One on this machine sends what others have sent to it. */
  private static final List<String> FORWARDED =
      List.of(
          "Forwarded",
          "Via",
          "X-Forwarded-For",
          "X-Forwarded-Host",
          "X-Forwarded-Proto",
          "X-Real-IP");

  private static final String ORIGIN = "Origin";
  private static final String SITE = "Sec-Fetch-Site";

  /** Headers that browsers add. Any page can make a browser on this machine send requests to it. */
  private static final List<String> BY_A_PAGE = List.of(ORIGIN, SITE);

  /** What a browser says of requests that no page of another site has made. */
  private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

  private final KnownTokens tokens;
  private final Optional<KerberosCallers> kerberos;
  private final Optional<Role> withoutToken;
  private final Clock clock;

  /**
   * @param kerberos empty if Kerberos tickets are not accepted
   * @param withoutToken role of requests from this machine with neither; empty to reject them
   */
  public Authentication(
      KnownTokens tokens,
      Optional<KerberosCallers> kerberos,
      Optional<Role> withoutToken,
      Clock clock) {
    this.tokens = tokens;
    this.kerberos = kerberos;
    this.withoutToken = withoutToken;
    this.clock = clock;
  }

  /** Tells a client how it can say who it is. */
  void challenge(HttpServletResponse response) {
    response.setHeader(CHALLENGE, BEARER);
    if (kerberos.isPresent()) {
      response.addHeader(CHALLENGE, NEGOTIATE);
    }
  }

  /** Returns what somebody can do who was not known. */
  String advice() {
    return (kerberos.isPresent()
            ? "With a Kerberos ticket (kinit), use raidshell --kerberos. "
            : "")
        + "An administrator creates tokens with 'raidnode token create'; give raidshell the file with yours with --token-file.";
  }

  /** Returns who sends the request, and proves to this person that the daemon answers. */
  Person of(HttpServletRequest request, HttpServletResponse response) throws NobodyException {
    String header = request.getHeader(HEADER);
    if (header == null) {
      return somebodyOnThisMachine(request);
    }
    Optional<String> secret = parameter(header, BEARER);
    if (secret.isPresent()) {
      return holder(secret.get());
    }
    Optional<String> token = parameter(header, NEGOTIATE);
    if (kerberos.isPresent() && token.isPresent()) {
      return ticketHolder(token.get(), kerberos.get(), request, response);
    }
    throw new NobodyException(
        kerberos.isPresent()
            ? "The daemon understands tokens and Kerberos tickets only (Authorization: Bearer or Negotiate ...)"
            : "The daemon understands tokens only (Authorization: Bearer ...)");
  }

  /** Returns what follows the name of a scheme; empty if the header has another scheme. */
  private static Optional<String> parameter(String header, String scheme) {
    String beginning = scheme + " ";
    return header.regionMatches(true, 0, beginning, 0, beginning.length())
        ? Optional.of(header.substring(beginning.length()).strip())
        : Optional.empty();
  }

  private Person holder(String secret) throws NobodyException {
    AccessToken token =
        tokens
            .find(secret)
            .orElseThrow(() -> new NobodyException("The token is wrong, or it was revoked"));
    if (token.isExpired(clock.instant())) {
      throw new NobodyException(
          "The token of %s expired at %s".formatted(token.user(), token.expires().orElseThrow()));
    }
    return new Person(token.user(), Optional.of(token.role()), KnownBy.TOKEN);
  }

  private static Person ticketHolder(
      String token,
      KerberosCallers kerberos,
      HttpServletRequest request,
      HttpServletResponse response)
      throws NobodyException {
    // A browser sends a ticket by itself, whichever page has made the request.
    if (!AuditLog.isQuestion(request.getMethod()) && isByAnotherSite(request)) {
      throw new NobodyException("The daemon accepts no changes from web pages of other sites");
    }
    try {
      if (token.length() > MOST_HEADER_BYTES) {
        throw new NobodyException("The Kerberos ticket is too long");
      }
      KerberosCallers.Accepted accepted = kerberos.accept(Base64.getDecoder().decode(token));
      accepted
          .answer()
          .map(Base64.getEncoder()::encodeToString)
          .ifPresent(answer -> response.setHeader(CHALLENGE, NEGOTIATE + " " + answer));
      return accepted.person();
    } catch (IllegalArgumentException e) {
      throw new NobodyException("What follows 'Negotiate' must be a Kerberos ticket in Base64");
    } catch (TicketException e) { // logged where it was thrown
      throw new NobodyException(
          "The Kerberos ticket was not accepted; the log of the daemon says why, for request %s"
              .formatted(Cause.current().request()));
    }
  }

  /**
   * Returns whether the daemon's own page has made the request. A page cannot write this header,
   * and {@link HostFilter} has rejected other names of this machine.
   */
  private static boolean isByOwnPage(HttpServletRequest request) {
    return "same-origin".equals(request.getHeader(SITE)) && !isByAnotherSite(request);
  }

  private static boolean isByAnotherSite(HttpServletRequest request) {
    String site = request.getHeader(SITE);
    String origin = request.getHeader(ORIGIN);
    return (site != null && !OWN_SITE.contains(site))
        || (origin != null && !origin.endsWith("://" + request.getHeader("Host")));
  }

  private Person somebodyOnThisMachine(HttpServletRequest request) throws NobodyException {
    String proof = kerberos.isPresent() ? "a token or a Kerberos ticket" : "a token";
    Role role =
        withoutToken.orElseThrow(() -> new NobodyException("This daemon requires " + proof));
    if (FORWARDED.stream().anyMatch(name -> request.getHeader(name) != null)
        || !isLoopback(request.getRemoteAddr())) {
      throw new NobodyException("This daemon requires %s from other machines".formatted(proof));
    }
    boolean byAPage = BY_A_PAGE.stream().anyMatch(name -> request.getHeader(name) != null);
    if (byAPage && !isByOwnPage(request)) {
      throw new NobodyException("This daemon requires %s from web pages".formatted(proof));
    }
    String name = request.getHeader(ApiPaths.USER_HEADER);
    return new Person(
        name != null && Person.isName(name) ? name : SOMEBODY, Optional.of(role), KnownBy.UNPROVEN);
  }

  private static boolean isLoopback(String address) {
    if (address == null || address.isEmpty()) {
      return false; // the connection is closed; an absent name would mean this machine
    }
    try {
      return InetAddress.getByName(address).isLoopbackAddress(); // numbers, so nothing is looked up
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
