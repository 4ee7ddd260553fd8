// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import io.hdfsraid.raidapi.ApiPaths;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Sends every request to the daemon that works on the cluster (RFC 9110, 15.4.8: 307, with the same
 * method and body), except the question how this very daemon is. Passes all requests on while it is
 * not known where the other daemon answers.
 */
public final class ActiveDaemonFilter extends HttpFilter {
  private static final long serialVersionUID = 1;

  private final transient Supplier<Optional<URI>> active;

  /**
   * @param active the address of the other daemon
   */
  public ActiveDaemonFilter(Supplier<Optional<URI>> active) {
    this.active = active;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Optional<URI> there = active.get();
    if (there.isEmpty() || isAboutThisDaemon(request)) {
      chain.doFilter(request, response);
      return;
    }
    String query = request.getQueryString() == null ? "" : "?" + request.getQueryString();
    response.setStatus(HttpServletResponse.SC_TEMPORARY_REDIRECT);
    response.setHeader(
        "Location", there.get().toString().replaceAll("/+$", "") + request.getRequestURI() + query);
  }

  private static boolean isAboutThisDaemon(HttpServletRequest request) {
    String path = request.getContextPath() + request.getServletPath() + ApiPaths.DAEMON;
    return request.getMethod().equals("GET") && request.getRequestURI().equals(path);
  }
}
