package io.hdfsraid.raidnode.rest.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidnode.access.AccessToken;
import io.hdfsraid.raidnode.access.KnownTokens;
import io.hdfsraid.raidnode.access.Person;
import io.hdfsraid.raidnode.access.Role;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Principal;
import java.time.Clock;
import java.util.List;
import java.util.Optional;

/**
 * Finds out who sends a request, and rejects those of nobody. A request with a token comes from the
 * user of the token. One without comes from somebody on this machine if the settings give such
 * requests a role.
 */
public final class AccessFilter extends HttpFilter {
  private static final long serialVersionUID = 1;
  private static final String SCHEME = "Bearer ";
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

  /** Headers that browsers add. Any page can make a browser on this machine send requests to it. */
  private static final List<String> BY_A_PAGE = List.of("Origin", "Sec-Fetch-Site");

  private final transient KnownTokens tokens;
  private final transient Optional<Role> withoutToken;
  private final transient RequiredRole required;
  private final boolean ofAdminPort;
  private final transient AuditLog audit;
  private final transient ObjectMapper json;
  private final transient Clock clock;

  /** The lowest role that may send a request; empty if everybody may. */
  @FunctionalInterface
  public interface RequiredRole {
    Optional<Role> of(HttpServletRequest request);
  }

  /** Thrown when nobody is known to send a request. */
  private static final class NobodyException extends Exception {
    private static final long serialVersionUID = 1;

    NobodyException(String message) {
      super(message);
    }
  }

  /**
   * @param withoutToken role of requests from this machine without a token; empty to reject them
   * @param required the lowest role that passes this filter
   * @param ofAdminPort whether nothing else records what changes
   */
  public AccessFilter(
      KnownTokens tokens,
      Optional<Role> withoutToken,
      RequiredRole required,
      boolean ofAdminPort,
      AuditLog audit,
      ObjectMapper json,
      Clock clock) {
    this.tokens = tokens;
    this.withoutToken = withoutToken;
    this.required = required;
    this.ofAdminPort = ofAdminPort;
    this.audit = audit;
    this.json = json;
    this.clock = clock;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<Role> needed = required.of(request);
    if (needed.isEmpty()) {
      chain.doFilter(request, response);
      return;
    }
    Person person;
    try {
      person = person(request);
    } catch (NobodyException e) {
      response.setHeader("WWW-Authenticate", "Bearer");
      refuse(
          Optional.empty(),
          request,
          response,
          new ApiError(
              ErrorCode.UNAUTHORIZED,
              e.getMessage(),
              "An administrator creates tokens with 'raidnode token create'; give raidshell the file with yours with --token-file."));
      return;
    }
    Optional<String> lack = person.lacks(needed.get());
    if (lack.isPresent()) {
      refuse(
          Optional.of(person),
          request,
          response,
          new ApiError(ErrorCode.FORBIDDEN, lack.get(), ""));
      return;
    }
    chain.doFilter(new FromPerson(request, person), response);
    if (ofAdminPort) {
      audit.changed(person, request, response.getStatus());
    }
  }

  private void refuse(
      Optional<Person> person,
      HttpServletRequest request,
      HttpServletResponse response,
      ApiError error)
      throws IOException {
    audit.refused(person, request, error);
    Refusals.write(response, error, json);
  }

  private Person person(HttpServletRequest request) throws NobodyException {
    String header = request.getHeader("Authorization");
    if (header == null) {
      return somebodyOnThisMachine(request);
    }
    if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      throw new NobodyException("The daemon understands tokens only (Authorization: Bearer ...)");
    }
    String secret = header.substring(SCHEME.length()).strip();
    AccessToken token =
        tokens
            .find(secret)
            .orElseThrow(() -> new NobodyException("The token is wrong, or it was revoked"));
    if (token.isExpired(clock.instant())) {
      throw new NobodyException(
          "The token of %s expired at %s".formatted(token.user(), token.expires().orElseThrow()));
    }
    return new Person(token.user(), token.role(), true);
  }

  private Person somebodyOnThisMachine(HttpServletRequest request) throws NobodyException {
    Role role = withoutToken.orElseThrow(() -> new NobodyException("This daemon requires a token"));
    if (FORWARDED.stream().anyMatch(name -> request.getHeader(name) != null)
        || !isLoopback(request.getRemoteAddr())) {
      throw new NobodyException("This daemon requires a token from other machines");
    }
    if (BY_A_PAGE.stream().anyMatch(name -> request.getHeader(name) != null)) {
      throw new NobodyException("This daemon requires a token from web pages");
    }
    String name = request.getHeader(ApiPaths.USER_HEADER);
    return new Person(name != null && Person.isName(name) ? name : SOMEBODY, role, false);
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

  /** A request whose sender is known. */
  private static final class FromPerson extends HttpServletRequestWrapper {
    private final Person person;

    FromPerson(HttpServletRequest request, Person person) {
      super(request);
      this.person = person;
    }

    @Override
    public Principal getUserPrincipal() {
      return person;
    }

    @Override
    public String getRemoteUser() {
      return person.user();
    }
  }
}
