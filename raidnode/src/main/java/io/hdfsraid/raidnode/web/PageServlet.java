// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Serves the files of the web page from memory: {@code index.html} at {@code /}, and all others
 * below {@value #BELOW}. They hold no data and are the same for everybody, so they need no token;
 * what the page shows it asks the REST API for. Nothing but the listed files is served, and nothing
 * but the daemon itself may be asked by the page (Content Security Policy, Level 3).
 */
public final class PageServlet extends HttpServlet {
  private static final long serialVersionUID = 1;
  private static final String NAME = "page";
  private static final String BELOW = "/page/";
  private static final String INDEX = "index.html";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  /** What the files of the page are called, and where they are on the class path. */
  static final Map<String, String> FILES = files();

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

  private final transient Map<String, Content> contents = new TreeMap<>();

  private static final class Content {
    private final byte[] bytes;
    private final String type;
    private final String tag;

    Content(byte[] bytes, String type) {
      this.bytes = bytes;
      this.type = type;
      this.tag = "\"%x-%x\"".formatted(bytes.length, Arrays.hashCode(bytes));
    }
  }

  /** Reads all files. */
  public PageServlet() {
    FILES.forEach((name, resource) -> contents.put(name, content(name, resource)));
  }

  private static Map<String, String> files() {
    Map<String, String> files = new TreeMap<>();
    for (String name :
        new String[] {
          INDEX,
          "icon.svg",
          "style.css",
          "app.js",
          "api.js",
          "actions.js",
          "format.js",
          "parts.js",
          "pages/about.js",
          "pages/file.js",
          "pages/files.js",
          "pages/history.js",
          "pages/nodes.js",
          "pages/overview.js",
          "pages/policies.js",
          "pages/repairs.js",
          "pages/savings.js",
          "pages/settings.js",
          "pages/tasks.js"
        }) {
      files.put(name, "/io/hdfsraid/raidnode/web/" + name);
    }
    files.put("lib/lit-html.js", "/META-INF/resources/webjars/lit-html/3.3.1/lit-html.js");
    return Map.copyOf(files);
  }

  private static Content content(String name, String resource) {
    try (InputStream in = PageServlet.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new FileNotFoundException(resource + " is not on the class path");
      }
      byte[] bytes = in.readAllBytes();
      return new Content(bytes, TYPES.get(name.substring(name.lastIndexOf('.') + 1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Registers the servlet.
   *
   * @param servlets adds a servlet under a name
   */
  public static void addTo(Function<HttpServlet, ServletRegistration.Dynamic> servlets) {
    servlets.apply(new PageServlet()).addMapping("", BELOW + "*");
  }

  /** Returns the name under which the servlet is registered. */
  public static String name() {
    return NAME;
  }

  /** Returns whether this servlet answers a request, whatever its address looks like. */
  public static boolean answers(HttpServletRequest request) {
    return NAME.equals(request.getHttpServletMapping().getServletName());
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = request.getPathInfo();
    String name = path == null || path.equals("/") ? INDEX : path.substring(1);
    boolean atTheRoot = request.getServletPath().isEmpty();
    Optional<Content> found =
        Optional.ofNullable(contents.get(name)).filter(content -> atTheRoot == name.equals(INDEX));
    if (found.isEmpty()) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND);
      return;
    }
    Content content = found.get();
    HEADERS.forEach(response::setHeader);
    response.setHeader("ETag", content.tag);
    if (content.tag.equals(request.getHeader("If-None-Match"))) {
      response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
      return;
    }
    response.setContentType(content.type);
    response.setContentLength(content.bytes.length);
    response.getOutputStream().write(content.bytes);
  }
}
