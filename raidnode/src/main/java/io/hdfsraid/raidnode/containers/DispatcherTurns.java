// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives dispatchers their turns where no daemon runs jobs that do. */
public final class DispatcherTurns {
  private static final Logger LOG = LoggerFactory.getLogger(DispatcherTurns.class);
  private static final long EVERY_MILLIS = 200;

  private DispatcherTurns() {}

  /** Work that needs containers. */
  public interface Work<T> {
    T run() throws IOException;
  }

  /**
   * Gives turns until the work is done, and stops the dispatchers. If a turn fails with an error,
   * such as a class that is missing, all work that waits for containers ends.
   */
  public static <T> T during(List<JobDispatcher> dispatchers, Work<T> work) throws IOException {
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    var unused =
        thread.scheduleWithFixedDelay(
            () -> turn(dispatchers), EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    try {
      return work.run();
    } finally {
      thread.shutdown();
      dispatchers.forEach(JobDispatcher::stop);
    }
  }

  private static void turn(List<JobDispatcher> dispatchers) {
    try {
      dispatchers.forEach(JobDispatcher::turn);
    } catch (RuntimeException | Error e) {
      LOG.error("Jobs in containers are not looked after any more", e);
      dispatchers.forEach(JobDispatcher::stop);
      throw e;
    }
  }
}
