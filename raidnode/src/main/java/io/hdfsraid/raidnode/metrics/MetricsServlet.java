package io.hdfsraid.raidnode.metrics;

import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.Total;
import io.hdfsraid.raidnode.recency.SourceReports;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Answers Prometheus. */
public final class MetricsServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  private final transient RaidMetrics metrics;
  private final transient Supplier<List<Total>> totals;
  private final transient Supplier<Map<String, Long>> repairs;
  private final transient Supplier<Map<ScrubDepth, Duration>> unscrubbed;
  private final transient SourceReports recency;

  /**
   * A servlet.
   *
   * @param totals asked at each request: how much there is of each kind of file
   * @param repairs likewise: how many stripes are in each state of repair
   * @param unscrubbed likewise: how long ago the stripe was scrubbed that has waited longest
   */
  public MetricsServlet(
      RaidMetrics metrics,
      Supplier<List<Total>> totals,
      Supplier<Map<String, Long>> repairs,
      Supplier<Map<ScrubDepth, Duration>> unscrubbed,
      SourceReports recency) {
    this.metrics = metrics;
    this.totals = totals;
    this.repairs = repairs;
    this.unscrubbed = unscrubbed;
    this.recency = recency;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/plain; version=0.0.4; charset=utf-8");
    response.getWriter().write(metrics.text(totals, repairs, unscrubbed, recency));
  }
}
