// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import org.eclipse.jetty.util.component.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the end of a daemon. Every end stops the server, also one by a signal. */
final class ShutdownLog implements LifeCycle.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(RaidNode.class);

  @Override
  public void lifeCycleStopping(LifeCycle server) {
    LOG.info("RaidNode is stopping: running jobs are interrupted and continue at the next start");
  }

  @Override
  public void lifeCycleStopped(LifeCycle server) {
    LOG.info("RaidNode has stopped");
  }
}
