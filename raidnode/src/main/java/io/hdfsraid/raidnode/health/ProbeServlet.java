package io.hdfsraid.raidnode.health;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/**
 * Answers a supervisor or a load balancer, at once and without details: 200 or 503. The health
 * checks, which ask HDFS and take as long as it does, are for people.
 */
public final class ProbeServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final transient BooleanSupplier state;

  /**
   * @param state answers without waiting
   */
  public ProbeServlet(BooleanSupplier state) {
    this.state = state;
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
