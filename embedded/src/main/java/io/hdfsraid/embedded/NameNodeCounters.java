// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;
import org.apache.hadoop.ipc.metrics.RpcDetailedMetrics;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsInfo;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.lib.MutableRatesWithAggregation;

/**
 * The number of calls of each method of a NameNode, read from the metrics of its RPC server. The
 * MBeans would answer from a cache.
 */
final class NameNodeCounters {
  private static final String COUNT = "NumOps";
  private static final Field RATES = rates();

  /** Methods that DataNodes call all the time. */
  private static final Set<String> OF_DATANODES =
      Arrays.stream(DatanodeProtocol.class.getMethods())
          .map(Method::getName)
          .filter(name -> !name.equals("reportBadBlocks")) // clients do so, too
          .collect(Collectors.toUnmodifiableSet());

  private NameNodeCounters() {}

  /** Returns the number of calls by method, without the methods of DataNodes. */
  static Map<String, Long> calls(NameNode nameNode) {
    RpcDetailedMetrics metrics =
        ((NameNodeRpcServer) nameNode.getRpcServer()).getClientRpcServer().getRpcDetailedMetrics();
    Counts counts = new Counts();
    boolean alsoUnchanged = true;
    try {
      ((MutableRatesWithAggregation) RATES.get(metrics)).snapshot(counts, alsoUnchanged);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    counts.byMethod.keySet().removeAll(OF_DATANODES);
    return counts.byMethod;
  }

  private static Field rates() {
    try {
      Field field = RpcDetailedMetrics.class.getDeclaredField("rates");
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("This Hadoop counts otherwise", e);
    }
  }

  /** Takes the counters of a snapshot, and nothing else. */
  private static final class Counts extends MetricsRecordBuilder {
    final Map<String, Long> byMethod = new TreeMap<>();

    @Override
    public MetricsRecordBuilder addCounter(MetricsInfo info, long value) {
      String name = info.name();
      if (name.endsWith(COUNT) && value > 0) {
        String method = name.substring(0, name.length() - COUNT.length());
        byMethod.put(method.substring(0, 1).toLowerCase(Locale.ROOT) + method.substring(1), value);
      }
      return this;
    }

    @Override
    public MetricsRecordBuilder addCounter(MetricsInfo info, int value) {
      return addCounter(info, (long) value);
    }

    @Override
    public MetricsRecordBuilder tag(MetricsInfo info, String value) {
      return this;
    }

    @Override
    public MetricsRecordBuilder add(MetricsTag tag) {
      return this;
    }

    @Override
    public MetricsRecordBuilder add(AbstractMetric metric) {
      return this;
    }

    @Override
    public MetricsRecordBuilder setContext(String value) {
      return this;
    }

    @Override
    public MetricsRecordBuilder addGauge(MetricsInfo info, int value) {
      return this;
    }

    @Override
    public MetricsRecordBuilder addGauge(MetricsInfo info, long value) {
      return this;
    }

    @Override
    public MetricsRecordBuilder addGauge(MetricsInfo info, float value) {
      return this;
    }

    @Override
    public MetricsRecordBuilder addGauge(MetricsInfo info, double value) {
      return this;
    }

    @Override
    public MetricsCollector parent() {
      throw new UnsupportedOperationException("There is no collector");
    }
  }
}
