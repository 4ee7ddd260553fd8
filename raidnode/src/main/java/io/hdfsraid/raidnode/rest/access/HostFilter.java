// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ErrorCode;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Rejects requests for hosts that this machine is not called. A web page can make a browser on this
 * machine send requests to a name of the page's own domain that resolves to 127.0.0.1 (DNS
 * rebinding). Such requests carry that name. Those to a number are always for this machine.
 */
public final class HostFilter extends HttpFilter {
  private static final long serialVersionUID = 1;

  private final transient Set<String> names = new HashSet<>();
  private final transient AuditLog audit;
  private final transient ObjectMapper json;

  /**
   * @param further names under which this machine is reached, beside its own
   */
  public HostFilter(Collection<String> further, AuditLog audit, ObjectMapper json) {
    this.audit = audit;
    this.json = json;
    names.add("localhost");
    try {
      InetAddress own = InetAddress.getLocalHost();
      names.add(own.getHostName().toLowerCase(Locale.ROOT));
      names.add(own.getCanonicalHostName().toLowerCase(Locale.ROOT));
    } catch (UnknownHostException e) {
      // A machine without a name is reached by number, or by the names of the settings.
    }
    further.forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String host = request.getServerName();
    if (isAddress(host) || names.contains(host.toLowerCase(Locale.ROOT))) {
      chain.doFilter(request, response);
      return;
    }
    ApiError error =
        new ApiError(
            ErrorCode.FORBIDDEN,
            "The request is for another host than this",
            "If this machine is reached under that name, add it to api.hosts in raidnode.yml.");
    audit.refused(Optional.empty(), request, error);
    Refusals.write(response, error, json);
  }

  /** A name that is looked up in the DNS has a letter. */
  private static boolean isAddress(String host) {
    return host.startsWith("[") || host.chars().allMatch(c -> c == '.' || Character.isDigit(c));
  }
}
