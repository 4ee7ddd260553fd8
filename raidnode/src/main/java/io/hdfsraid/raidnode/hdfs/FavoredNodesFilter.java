// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.hdfs;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Drops a warning of the HDFS client that is not true here: for each parity unit it says that the
 * favored node was not chosen, because we request a node under an address by which the client does
 * not recognise it, see {@code FavoredNodes} of the module drfs.
 */
final class FavoredNodesFilter extends TurboFilter {
  private static final String LOGGER = "org.apache.hadoop.hdfs.DataStreamer";
  private static final String WARNING = "These favored nodes were specified but not chosen";

  /** Adds the filter, once for the process. */
  static synchronized void add() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext logging
        && logging.getTurboFilterList().stream().noneMatch(FavoredNodesFilter.class::isInstance)) {
      logging.addTurboFilter(new FavoredNodesFilter());
    }
  }

  @Override
  public FilterReply decide(
      Marker marker, Logger logger, Level level, String format, Object[] params, Throwable t) {
    return format != null && format.startsWith(WARNING) && logger.getName().equals(LOGGER)
        ? FilterReply.DENY
        : FilterReply.NEUTRAL;
  }
}
