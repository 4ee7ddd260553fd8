// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dropwizard.jetty.setup.ServletEnvironment;
import io.hdfsraid.raidapi.ApiPaths;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;

/** Tells a page of one nameservice which others there are: a list of names, in JSON. */
public final class NameservicesServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final transient List<String> names;
  private final transient ObjectMapper json;

  private NameservicesServlet(List<String> names, ObjectMapper json) {
    this.names = List.copyOf(names);
    this.json = json;
  }

  /** Registers the servlet. */
  public static void addTo(ServletEnvironment servlets, List<String> names, ObjectMapper json) {
    servlets
        .addServlet("nameservices", new NameservicesServlet(names, json))
        .addMapping(ApiPaths.NAMESERVICES);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("application/json");
    response.setHeader("Cache-Control", "no-store");
    response.getOutputStream().write(json.writeValueAsBytes(names));
  }
}
