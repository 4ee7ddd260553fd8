package io.hdfsraid.raidnode;

import org.eclipse.jetty.util.component.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the end of a daemon, whoever ends it: a signal stops the server, and with it all else. */
final class Farewell implements LifeCycle.Listener {
  private static final Logger LOG = LoggerFactory.getLogger(RaidNode.class);

  @Override
  public void lifeCycleStopping(LifeCycle server) {
    LOG.info("RaidNode is stopping: what is under way is interrupted, and goes on when it starts");
  }

  @Override
  public void lifeCycleStopped(LifeCycle server) {
    LOG.info("RaidNode has stopped");
  }
}
