// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.health;

import io.dropwizard.core.setup.AdminEnvironment;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Answers a supervisor or a load balancer, at once and without details: 200 or 503. The health
 * checks are for people.
 */
public final class ProbeServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  /** Where the process says that it lives; needs no token. */
  public static final String LIVE = "/live";

  /** Where it says whether it may work; needs no token. */
  public static final String READY = "/ready";

  private final transient BooleanSupplier state;

  /**
   * @param state answers without waiting
   */
  ProbeServlet(BooleanSupplier state) {
    this.state = state;
  }

  /** Registers both: a process that can answer lives. */
  public static void addTo(AdminEnvironment admin, BooleanSupplier ready) {
    admin.addServlet("live", new ProbeServlet(() -> true)).addMapping(LIVE);
    admin.addServlet("ready", new ProbeServlet(ready)).addMapping(READY);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    boolean well = state.getAsBoolean();
    response.setStatus(
        well ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    response.setContentType("text/plain");
    response.getWriter().println(well ? "yes" : "no");
  }
}
