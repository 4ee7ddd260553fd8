// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import io.dropwizard.jetty.setup.ServletEnvironment;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Serves the files of the web page from memory: {@code index.html} at {@code /}, and all others
 * below {@value #BELOW}. They hold no data and are the same for everybody, so they need no token;
 * what the page shows it asks the REST API for. Nothing but the listed files is served.
 */
public final class PageServlet extends HttpServlet {
  private static final long serialVersionUID = 1;
  private static final String NAME = "page";
  private static final String BELOW = "/page/";
  private static final String INDEX = "index.html";

  /** What the files of the page are called, and where they are on the class path. */
  static final Map<String, String> FILES = files();

  private final transient Map<String, StaticContent> contents = new TreeMap<>();

  /** Reads all files. */
  public PageServlet() {
    FILES.forEach(
        (name, resource) ->
            contents.put(name, new StaticContent(name, StaticContent.read(resource))));
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

  /** Registers the servlet. */
  public static void addTo(ServletEnvironment servlets) {
    servlets.addServlet(NAME, new PageServlet()).addMapping("", BELOW + "*");
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
    StaticContent content = contents.get(name);
    boolean atTheRoot = request.getServletPath().isEmpty();
    if (content == null || atTheRoot != name.equals(INDEX)) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND);
      return;
    }
    content.serve(request, response);
  }
}
