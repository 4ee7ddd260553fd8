// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.diagnosis;

import io.dropwizard.core.setup.AdminEnvironment;
import io.hdfsraid.raidnode.hdfs.ConfigurationDump;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.StringWriter;
import java.util.SortedMap;

/**
 * Shows the configuration in force as Hadoop's {@code ConfServlet} does: XML, or JSON with {@code
 * format=json} or an {@code Accept} header that asks for it; {@code name=KEY} asks for one key.
 * Secrets are masked.
 */
public final class ConfServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final transient ConfigurationDump dump;

  private ConfServlet(ConfigurationDump dump) {
    this.dump = dump;
  }

  /**
   * Registers the servlet.
   *
   * @param settings what {@code raidnode.yml} says, by key
   */
  public static void addTo(AdminEnvironment admin, SortedMap<String, String> settings) {
    admin
        .addServlet("conf", new ConfServlet(new ConfigurationDump("raidnode.", settings)))
        .addMapping("/conf");
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String format = request.getParameter("format");
    if (format == null) {
      String accepted = request.getHeader("Accept");
      format = accepted != null && accepted.contains("application/json") ? "json" : "xml";
    }
    if (!format.equals("json") && !format.equals("xml")) {
      response.sendError(HttpServletResponse.SC_BAD_REQUEST, "format is xml or json");
      return;
    }
    String name = request.getParameter("name");
    if (name != null && !dump.knows(name)) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND, "Nobody has set this key");
      return;
    }
    StringWriter text = new StringWriter();
    try {
      if (format.equals("json")) {
        dump.json(name, text);
      } else {
        dump.xml(name, text);
      }
    } catch (IllegalArgumentException e) {
      // Hadoop knows it by its present name only.
      response.sendError(HttpServletResponse.SC_NOT_FOUND, "Nobody has set this key");
      return;
    }
    response.setContentType(
        format.equals("json") ? "application/json; charset=utf-8" : "text/xml; charset=utf-8");
    response.getWriter().write(text.toString());
  }
}
