// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.lang.reflect.Field;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;

/**
 * The counters of one DataNode, read from its own fields. The MBeans answer from a cache that is up
 * to ten seconds old, and after a restart the metrics system still gives the counters of the first
 * DataNode of a name.
 */
final class DataNodeCounters {
  private static final Field BYTES_READ = field("bytesRead");
  private static final Field BYTES_WRITTEN = field("bytesWritten");

  private DataNodeCounters() {}

  static long bytesRead(DataNode dataNode) {
    return count(BYTES_READ, dataNode);
  }

  static long bytesWritten(DataNode dataNode) {
    return count(BYTES_WRITTEN, dataNode);
  }

  private static long count(Field counter, DataNode dataNode) {
    try {
      return ((MutableCounterLong) counter.get(dataNode.getMetrics())).value();
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Field field(String name) {
    try {
      Field field = DataNodeMetrics.class.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("This version of Hadoop has other counters", e);
    }
  }
}
