// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.PreviewBuilder;
import java.util.concurrent.RejectedExecutionException;

/** Queues the task of a change, unless the operator only wants a preview. */
public record Submission(TaskQueue queue) {

  /**
   * Returns the answer for the operator, who does not wait for the task.
   *
   * @param note a remark on what is planned or accepted; may be empty
   * @param by who asks
   */
  public ChangePreview answer(
      PreviewBuilder plan, String note, boolean dryRun, String by, TaskWork work) {
    if (!plan.anyWanted()) {
      return plan.as(plan.anyRefused() ? Outcome.REFUSED : Outcome.NOTHING_TO_DO, "");
    }
    if (dryRun) {
      return plan.as(Outcome.PLANNED, note);
    }
    try {
      return queue.change(plan.as(Outcome.ACCEPTED, note), by, work);
    } catch (RejectedExecutionException e) {
      throw tooMany();
    }
  }

  /** Returns the failure of a request whose task does not fit into its queue. */
  public static ApiFailure tooMany() {
    return ApiFailure.refused(
        "Too many tasks are waiting",
        "Wait until some of them have ended ('raidshell tasks'), then try again.");
  }
}
