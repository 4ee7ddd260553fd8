// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.mode;

import io.hdfsraid.raidnode.mode.OperatingMode;
import io.hdfsraid.raidnode.rest.tasks.TaskMeter;
import io.hdfsraid.raidnode.rest.tasks.TaskWork;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A withdrawal as the work of a task, whose steps are files. Jobs carry the withdrawal out, also
 * after a restart; the task only looks how far they have come.
 *
 * @param filesUnderParity how many files are still to be unraided
 */
record FollowedWithdrawal(OperatingMode mode, LongSupplier filesUnderParity) implements TaskWork {
  private static final long SECONDS_BETWEEN_LOOKS = 1;

  @Override
  public void run(TaskMeter meter) throws InterruptedIOException {
    long files = filesUnderParity.getAsLong();
    meter.plan(files, 0);
    long done = 0;
    while (true) {
      // Asked first: when the withdrawal has ended, the count is the one at its end.
      boolean ended = mode.withdrawal().isEmpty();
      long left = filesUnderParity.getAsLong();
      for (; done < files - left; done++) {
        meter.done();
      }
      if (ended) {
        if (left > 0) {
          meter.failed("/", "somebody has resumed, and %d files are still raided".formatted(left));
        }
        return;
      }
      pause();
    }
  }

  private static void pause() throws InterruptedIOException {
    try {
      TimeUnit.SECONDS.sleep(SECONDS_BETWEEN_LOOKS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Nobody looks at the withdrawal any more");
    }
  }
}
