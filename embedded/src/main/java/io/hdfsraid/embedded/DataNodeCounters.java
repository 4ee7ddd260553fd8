package io.hdfsraid.embedded;

import java.util.stream.StreamSupport;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * The metrics of one DataNode, asked at its source: the MBeans answer from a cache that is up to
 * ten seconds old.
 */
final class DataNodeCounters {
  private DataNodeCounters() {}

  static long bytesRead(DataNode dataNode) {
    String name = dataNode.getMetrics().name();
    MetricsSource source = DefaultMetricsSystem.instance().getSource(name);
    if (source == null) {
      throw new IllegalStateException("There is no metrics source " + name);
    }
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    boolean unchangedOnesToo = true;
    source.getMetrics(collector, unchangedOnesToo);
    return collector.getRecords().stream()
        .map(MetricsRecord.class::cast)
        .flatMap(metrics -> StreamSupport.stream(metrics.metrics().spliterator(), false))
        .filter(metric -> metric.name().equals("BytesRead"))
        .mapToLong(DataNodeCounters::value)
        .findFirst()
        .orElseThrow();
  }

  private static long value(AbstractMetric metric) {
    return metric.value().longValue();
  }
}
