// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import io.dropwizard.jetty.setup.ServletEnvironment;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Serves the documents at {@code /docs/}, to everybody, as the web page is. */
public final class BookServlet extends HttpServlet {
  private static final long serialVersionUID = 1;
  private static final String NAME = "docs";

  private BookServlet() {}

  /** Made when somebody reads it: a daemon need not wait for that to start. */
  private static final class Opened {
    private static final Book BOOK = Book.read();
  }

  /** Registers the servlet. */
  public static void addTo(ServletEnvironment servlets) {
    servlets.addServlet(NAME, new BookServlet()).addMapping(Book.ROOT + "*");
  }

  /** Returns whether this servlet answers a request. */
  public static boolean answers(HttpServletRequest request) {
    return NAME.equals(request.getHttpServletMapping().getServletName());
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String path = request.getPathInfo();
    if (path == null) {
      response.sendRedirect(Book.ROOT);
      return;
    }
    StaticContent content = Opened.BOOK.contents().get(path.substring(1));
    if (content == null) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND);
      return;
    }
    content.serve(request, response);
  }
}
