package io.hdfsraid.raidnode.request;

import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.PlanView.Outcome;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rounds.Workers.Task;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts what an operator asked for into a queue, unless he only wants to see the plan. */
record Submission(Executor queue) {
  private static final Logger LOG = LoggerFactory.getLogger(Submission.class);

  /** The answer to the operator, who does not wait until the tasks are carried out. */
  PlanView answer(Draft plan, boolean dryRun, List<Task> tasks) {
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
          "Too many requests wait already", "Wait until some are carried out, then ask again.");
    }
    return plan.as(Outcome.ACCEPTED, "");
  }

  private static void carryOut(List<Task> tasks) {
    for (Task task : tasks) {
      if (Thread.currentThread().isInterrupted()) {
        return; // cancelled: what is left is not begun
      }
      carryOut(task);
    }
  }

  private static void carryOut(Task task) {
    try {
      task.run();
    } catch (IOException | RuntimeException e) {
      // The round has written down what failed and why, also that somebody else was at work on the
      // file; the next tasks go on.
      LOG.debug("A request came to nothing", e);
    }
  }
}
