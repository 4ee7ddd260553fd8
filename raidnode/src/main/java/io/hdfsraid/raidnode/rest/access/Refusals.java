// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiError;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** The answers to requests whose bodies nobody reads. */
final class Refusals {
  private Refusals() {}

  /**
   * Jetty closes a connection whose request was not read to its end. The answer says so, or a
   * client could send its next request there.
   */
  static void write(HttpServletResponse response, ApiError error, ObjectMapper json)
      throws IOException {
    response.setStatus(error.status());
    response.setHeader("Connection", "close");
    response.setContentType(ApiError.MEDIA_TYPE);
    json.writeValue(response.getOutputStream(), error);
  }
}
