// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.tasks;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Action;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.tasks.CancelTaskRequest;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidnode.rest.ApiFailure;
import io.hdfsraid.raidnode.rest.Cursors;
import io.hdfsraid.raidnode.rest.PreviewBuilder;
import java.util.List;
import java.util.Optional;

/** Lists and cancels tasks. */
public class TaskService {
  private final Tasks tasks;

  public TaskService(Tasks tasks) {
    this.tasks = tasks;
  }

  /** Returns a page of tasks, newest first. */
  public Page<TaskReport> list(Optional<TaskState> state, Paging paging) {
    List<TaskReport> found;
    try {
      // One more task than requested shows whether there is another page.
      found = tasks.newest(paging.cursor(), state, paging.limit() + 1);
    } catch (NumberFormatException e) {
      throw Cursors.notOne(paging.cursor().orElse(""));
    }
    List<TaskReport> shown = found.subList(0, Math.min(found.size(), paging.limit()));
    return new Page<>(
        shown,
        found.size() > shown.size()
            ? Optional.of(shown.get(shown.size() - 1).id())
            : Optional.empty());
  }

  /**
   * Returns a task as it is now.
   *
   * @throws ApiFailure if there is none, or no longer
   */
  public TaskReport find(String id) {
    return tasks
        .find(id)
        .orElseThrow(
            () ->
                ApiFailure.notFound(
                    "There is no task " + id,
                    "The newest 1000 tasks of the last seven days are kept ('raidshell tasks')."
                        + " 'raidshell history' lists what older ones have done."));
  }

  /** Cancels a task, unless the request is a dry run. What was done stays done. */
  public ChangePreview cancel(String id, CancelTaskRequest request, String by) {
    TaskReport task = find(id);
    PreviewBuilder plan = new PreviewBuilder(Action.CANCEL, task.path());
    if (task.state().isEnded()) {
      return plan.as(Outcome.NOTHING_TO_DO, "Task %s has ended: %s.".formatted(id, task.state()));
    }
    if (task.action() == Action.WITHDRAW) {
      plan.refused(
          0,
          task.path(),
          "A withdrawal is not cancelled, because no file may be raided meanwhile: 'raidshell resume --yes' ends the withdrawal where it is, and with it this task",
          "WITHDRAWING");
      return plan.as(Outcome.REFUSED, "");
    }
    plan.wanted(
        0,
        task.path(),
        "%s task %s: %s"
            .formatted(task.state() == TaskState.RUNNING ? "Interrupt" : "Drop", id, task.action()),
        0,
        0);
    if (request.dryRun()) {
      return plan.as(Outcome.PLANNED, "");
    }
    tasks.cancel(id, by);
    return plan.as(
        Outcome.DONE,
        "What was done stays done. A running task ends as soon as it can leave nothing half done.");
  }
}
