// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import java.lang.reflect.Method;
import java.time.Duration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;

/** The limit of the bytes that a DataNode sends to readers, which is private to the DataNode. */
final class ReadThrottle {
  private static final Method SET = setter();

  private ReadThrottle() {}

  static void shorten(DataNode dataNode, long bytesPerSecond, Duration step) {
    try {
      SET.invoke(
          dataNode.getXferServer(), new DataTransferThrottler(step.toMillis(), bytesPerSecond));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("The limit of %s cannot be set".formatted(dataNode), e);
    }
  }

  private static Method setter() {
    try {
      Method setter =
          Class.forName("org.apache.hadoop.hdfs.server.datanode.DataXceiverServer")
              .getDeclaredMethod("setReadThrottler", DataTransferThrottler.class);
      setter.setAccessible(true);
      return setter;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This version of Hadoop limits reads in another way", e);
    }
  }
}
