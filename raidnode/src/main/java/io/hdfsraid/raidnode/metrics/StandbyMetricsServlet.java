// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Serves to Prometheus that the daemon is alive and stands by. */
public final class StandbyMetricsServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final transient PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  public StandbyMetricsServlet() {
    Gauge.builder(RaidMeter.STANDBY.meter(), () -> 1)
        .description(RaidMeter.STANDBY.what())
        .register(registry);
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/plain; version=0.0.4; charset=utf-8");
    response.getWriter().write(registry.scrape());
  }
}
