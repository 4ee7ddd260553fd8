// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.tasks;

import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.health.FsckReport;
import java.time.Instant;
import java.util.Optional;

/**
 * A task: work that goes on after its request was answered.
 *
 * @param id id of the task; later tasks have greater numbers
 * @param action what the task does
 * @param path the path or the stripes of the request
 * @param reason why the task is not done, or not done completely; else empty
 * @param by who asked for the task
 * @param requestId id of the request, which the audit and the history name, too
 * @param operatorReason the reason that the request gave; may be empty
 * @param startedAt empty while the task waits
 * @param endedAt empty until the task has ended
 * @param change the change as it was accepted; empty in lists, and for a task that changes nothing
 * @param fsck the result of an fsck; empty in lists, and until the fsck is done
 */
public record TaskReport(
    String id,
    ChangePreview.Action action,
    String path,
    TaskState state,
    String reason,
    String by,
    String requestId,
    String operatorReason,
    Instant queuedAt,
    Optional<Instant> startedAt,
    Optional<Instant> endedAt,
    TaskProgress progress,
    Optional<ChangePreview> change,
    Optional<FsckReport> fsck) {
  public TaskReport {
    state = state == null ? TaskState.UNKNOWN : state;
    reason = Absent.toEmpty(reason);
    by = Absent.toEmpty(by);
    requestId = Absent.toEmpty(requestId);
    operatorReason = Absent.toEmpty(operatorReason);
    startedAt = Absent.toEmpty(startedAt);
    endedAt = Absent.toEmpty(endedAt);
    progress = progress == null ? TaskProgress.NONE : progress;
    change = Absent.toEmpty(change);
    fsck = Absent.toEmpty(fsck);
  }

  /** Returns the same report without what the task was asked for and has found. */
  public TaskReport brief() {
    return with(state, reason, endedAt, Optional.empty(), Optional.empty());
  }

  /** Returns the same report of a task that has failed. */
  public TaskReport failed(String why, Instant at) {
    return with(TaskState.FAILED, why, Optional.of(at), change, fsck);
  }

  private TaskReport with(
      TaskState newState,
      String newReason,
      Optional<Instant> newEnd,
      Optional<ChangePreview> newChange,
      Optional<FsckReport> newFsck) {
    return new TaskReport(
        id,
        action,
        path,
        newState,
        newReason,
        by,
        requestId,
        operatorReason,
        queuedAt,
        startedAt,
        newEnd,
        progress,
        newChange,
        newFsck);
  }
}
