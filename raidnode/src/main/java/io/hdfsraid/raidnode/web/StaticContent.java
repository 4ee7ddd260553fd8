// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;

/**
 * A file that is served from memory, the same to everybody. It may ask nobody but the daemon for
 * more (Content Security Policy, Level 3).
 */
final class StaticContent {
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png");

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          // A browser asks each time whether its copy is that of this version.
          "Cache-Control",
          "no-cache");

  private final byte[] bytes;
  private final String type;
  private final String tag;

  /**
   * @param name its ending says of which type the bytes are
   */
  StaticContent(String name, byte[] bytes) {
    this.bytes = bytes;
    this.type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
    this.tag = "\"%x-%x\"".formatted(bytes.length, Arrays.hashCode(bytes));
  }

  /** Reads a file of the class path. */
  static byte[] read(String resource) {
    try (InputStream in = StaticContent.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new FileNotFoundException(resource + " is not on the class path");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void serve(HttpServletRequest request, HttpServletResponse response) throws IOException {
    HEADERS.forEach(response::setHeader);
    response.setHeader("ETag", tag);
    if (tag.equals(request.getHeader("If-None-Match"))) {
      response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      return;
    }
    response.setContentType(type);
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
