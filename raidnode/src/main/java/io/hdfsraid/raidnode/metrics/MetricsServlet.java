// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.metrics;

import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.recency.RecencyStatus;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Serves the metrics to Prometheus. */
public final class MetricsServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final transient RaidMetrics metrics;
  private final transient Supplier<List<Total>> totals;
  private final transient Supplier<Map<String, Long>> repairs;
  private final transient Supplier<Duration> atRisk;
  private final transient Supplier<Map<ScrubDepth, Duration>> unscrubbed;
  private final transient RecencyStatus recency;

  /**
   * Creates a servlet. The suppliers are asked at each request.
   *
   * @param totals number and bytes of files of each kind
   * @param repairs number of stripes in each state of repair
   * @param atRisk longest time for which a stripe has tolerated no further loss
   * @param unscrubbed time since the stripe that has waited longest was scrubbed
   */
  public MetricsServlet(
      RaidMetrics metrics,
      Supplier<List<Total>> totals,
      Supplier<Map<String, Long>> repairs,
      Supplier<Duration> atRisk,
      Supplier<Map<ScrubDepth, Duration>> unscrubbed,
      RecencyStatus recency) {
    this.metrics = metrics;
    this.totals = totals;
    this.repairs = repairs;
    this.atRisk = atRisk;
    this.unscrubbed = unscrubbed;
    this.recency = recency;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/plain; version=0.0.4; charset=utf-8");
    response.getWriter().write(metrics.text(totals, repairs, atRisk, unscrubbed, recency));
  }
}
