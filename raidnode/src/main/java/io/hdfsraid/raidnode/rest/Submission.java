package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidnode.worker.Workers.Task;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Queues the tasks of a change, unless the operator only wants a preview. */
public record Submission(Executor queue) {
  private static final Logger LOG = LoggerFactory.getLogger(Submission.class);

  /** Returns the answer for the operator, who does not wait for the tasks. */
  public ChangePreview answer(PreviewBuilder plan, boolean dryRun, List<Task> tasks) {
    if (!plan.anyWanted()) {
      return plan.as(plan.anyRefused() ? Outcome.REFUSED : Outcome.NOTHING_TO_DO, "");
    }
    if (dryRun) {
      return plan.as(Outcome.PLANNED, "");
    }
    try {
      queue.execute(() -> carryOut(tasks));
    } catch (RejectedExecutionException e) {
      throw ApiFailure.refused(
          "Too many requests are waiting", "Wait until some of them have ended, then try again.");
    }
    return plan.as(Outcome.ACCEPTED, "");
  }

  private static void carryOut(List<Task> tasks) {
    for (Task task : tasks) {
      if (Thread.currentThread().isInterrupted()) {
        return; // Cancelled: the remaining tasks are not started.
      }
      carryOut(task);
    }
  }

  private static void carryOut(Task task) {
    try {
      task.run();
    } catch (IOException | RuntimeException e) {
      // The journal has what failed and why, also if another task holds the file. The next tasks go
      // on.
      LOG.debug("A task of a request failed", e);
    }
  }
}
