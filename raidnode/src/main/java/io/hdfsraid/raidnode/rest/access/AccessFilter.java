// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidnode.access.Person;
import io.hdfsraid.raidnode.access.Role;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.util.Optional;

/** Rejects requests of nobody, and those of people whose role is too low. */
public final class AccessFilter extends HttpFilter {
  private static final long serialVersionUID = 1;

  private final transient Authentication authentication;
  private final transient RequiredRole required;
  private final boolean ofAdminPort;
  private final transient AuditLog audit;
  private final transient ObjectMapper json;

  /** The lowest role that may send a request; empty if everybody may. */
  @FunctionalInterface
  public interface RequiredRole {
    Optional<Role> of(HttpServletRequest request);
  }

  /**
   * @param required the lowest role that passes this filter
   * @param ofAdminPort whether nothing else records what changes
   */
  public AccessFilter(
      Authentication authentication,
      RequiredRole required,
      boolean ofAdminPort,
      AuditLog audit,
      ObjectMapper json) {
    this.authentication = authentication;
    this.required = required;
    this.ofAdminPort = ofAdminPort;
    this.audit = audit;
    this.json = json;
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
      person = authentication.of(request, response);
    } catch (NobodyException e) {
      authentication.challenge(response);
      refuse(
          Optional.empty(),
          request,
          response,
          new ApiError(ErrorCode.UNAUTHORIZED, e.getMessage(), authentication.advice()));
      return;
    }
    Optional<String> lack = person.lacks(needed.get());
    if (lack.isPresent()) {
      refuse(
          Optional.of(person),
          request,
          response,
          new ApiError(ErrorCode.FORBIDDEN, lack.get(), RoleFeature.ADVICE));
      return;
    }
    try {
      chain.doFilter(new FromPerson(request, person), response);
    } finally {
      if (ofAdminPort) {
        audit.changed(person, request, response.getStatus());
      }
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
