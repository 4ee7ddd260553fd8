// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import java.lang.reflect.Method;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether HDFS's client hedges positioned reads. Its threads for that are those of the
 * process: once one client has been configured with them, all clients hedge. Only a method that is
 * not public tells.
 */
final class HedgedReadsOfHdfs {
  private static final Logger LOG = LoggerFactory.getLogger(HedgedReadsOfHdfs.class);
  private static final Optional<Method> ARE_ENABLED = method();

  private HedgedReadsOfHdfs() {}

  static boolean areEnabled(DFSClient client) {
    try {
      return ARE_ENABLED.isPresent() && (boolean) ARE_ENABLED.get().invoke(client);
    } catch (ReflectiveOperationException e) {
      LOG.debug("HDFS's client does not tell whether it hedges reads", e);
      return false;
    }
  }

  private static Optional<Method> method() {
    try {
      Method method = DFSClient.class.getDeclaredMethod("isHedgedReadsEnabled");
      method.setAccessible(true);
      return Optional.of(method);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("This version of HDFS does not tell whether it hedges reads", e);
      return Optional.empty();
    }
  }
}
