// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ApiPaths;
import io.hdfsraid.raidapi.ChangeRequest;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidnode.access.Cause;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Gives each request an id, unless it brings one, and reads the reason of a change. Both are the
 * cause of all that the request does, and the answer carries the id.
 */
public final class CauseFilter extends HttpFilter {
  private static final long serialVersionUID = 1;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final int ID_BYTES = 8;

  private final SecureRandom random = new SecureRandom();
  private final transient AuditLog audit;
  private final transient ObjectMapper json;

  public CauseFilter(AuditLog audit, ObjectMapper json) {
    this.audit = audit;
    this.json = json;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String id = id(request.getHeader(ApiPaths.REQUEST_ID_HEADER));
    response.setHeader(ApiPaths.REQUEST_ID_HEADER, id);
    Optional<String> reason = reason(request.getHeader(ApiPaths.REASON_HEADER));
    Cause.Scope scope = new Cause(id, reason.orElse("")).open();
    try {
      if (reason.isPresent()) {
        chain.doFilter(request, response);
      } else {
        ApiError error =
            new ApiError(
                ErrorCode.BAD_REQUEST,
                "The header %s is no reason".formatted(ApiPaths.REASON_HEADER),
                "It is UTF-8, percent-encoded, of at most %d characters."
                    .formatted(ChangeRequest.LONGEST_REASON));
        audit.refused(Optional.empty(), request, error);
        Refusals.write(response, error, json);
      }
    } finally {
      scope.close();
    }
  }

  /** Returns the id that the sender gave if it can be taken for nothing else; else a new one. */
  private String id(String given) {
    if (given != null && ID.matcher(given).matches()) {
      return given;
    }
    byte[] bytes = new byte[ID_BYTES];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns the text of the header, which may be absent; empty if it is not well-formed. */
  private static Optional<String> reason(String header) {
    if (header == null) {
      return Optional.of("");
    }
    if (header.chars().anyMatch(c -> c < ' ' || c > '~')) {
      return Optional.empty();
    }
    try {
      // Java's decoder is for forms, where a plus is a space.
      String text = URLDecoder.decode(header.replace("+", "%2B"), StandardCharsets.UTF_8).strip();
      return text.length() <= ChangeRequest.LONGEST_REASON ? Optional.of(text) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
