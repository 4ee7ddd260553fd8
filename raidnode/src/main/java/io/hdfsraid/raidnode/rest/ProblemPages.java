// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiError;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * The answers to requests that Jetty refuses before anybody else sees them, such as those with an
 * address that is too long: problems in the form of the API, whatever the client accepts.
 */
public final class ProblemPages extends ErrorHandler {
  /** Most bytes of a body: a list of the stripes of a large file. */
  public static final long MOST_BODY = 8 << 20;

  private final ObjectMapper json;

  public ProblemPages(ObjectMapper json) {
    this.json = json;
  }

  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int code,
      String message,
      Throwable cause,
      Callback callback)
      throws IOException {
    ApiError error = HttpErrors.of(code);
    if (code == HttpStatus.METHOD_NOT_ALLOWED_405) {
      // RFC 9110 requires the header. No path has been looked at, so it lists what any path allows.
      response.getHeaders().put(HttpHeader.ALLOW, "GET,HEAD,OPTIONS,POST,PUT");
    }
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, ApiError.MEDIA_TYPE);
    response.write(true, ByteBuffer.wrap(json.writeValueAsBytes(error)), callback);
  }
}
