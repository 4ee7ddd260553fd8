package io.hdfsraid.raidnode.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiError;
import io.hdfsraid.raidapi.ErrorCode;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.MessageDigest;

/** Rejects requests without the token, for the REST API, the metrics and the health checks. */
public final class TokenFilter extends HttpFilter {
  private static final long serialVersionUID = 1;
  private static final String SCHEME = "Bearer ";

  private final transient byte[] token;
  private final transient ObjectMapper json;

  public TokenFilter(String token, ObjectMapper json) {
    this.token = token.getBytes(UTF_8);
    this.json = json;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String header = request.getHeader("Authorization");
    if (header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      // The comparison takes as long for a wrong token as for the right one.
      if (MessageDigest.isEqual(token, header.substring(SCHEME.length()).strip().getBytes(UTF_8))) {
        chain.doFilter(request, response);
        return;
      }
    }
    response.setStatus(ErrorCode.UNAUTHORIZED.httpStatus());
    response.setHeader("WWW-Authenticate", "Bearer");
    response.setContentType("application/json");
    json.writeValue(
        response.getOutputStream(),
        new ApiError(
            ErrorCode.UNAUTHORIZED,
            header == null ? "This daemon requires a token" : "The token is wrong",
            "Give raidshell the token file of the daemon with --token-file."));
  }
}
