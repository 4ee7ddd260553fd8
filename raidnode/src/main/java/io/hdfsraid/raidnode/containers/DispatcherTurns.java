// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.containers;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Gives dispatchers their turns where no daemon runs jobs that do. */
public final class DispatcherTurns {
  private static final long EVERY_MILLIS = 200;

  private DispatcherTurns() {}

  /** Work that needs containers. */
  public interface Work<T> {
    T run() throws IOException;
  }

  /** Gives turns until the work is done, and stops the dispatchers. */
  public static <T> T during(List<JobDispatcher> dispatchers, Work<T> work) throws IOException {
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    var unused =
        thread.scheduleWithFixedDelay(
            () -> dispatchers.forEach(JobDispatcher::turn),
            EVERY_MILLIS,
            EVERY_MILLIS,
            TimeUnit.MILLISECONDS);
    try {
      return work.run();
    } finally {
      thread.shutdown();
      dispatchers.forEach(JobDispatcher::stop);
    }
  }
}
