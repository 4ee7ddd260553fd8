// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import io.hdfsraid.raidapi.tasks.TaskReport;

/** Prints tasks, and gives them exit codes. */
public final class TaskScreen {
  private TaskScreen() {}

  /** Prints how a task stands or has ended. */
  public static void show(TaskReport task, Screen screen) {
    screen.line("Task %s: %s".formatted(task.id(), TaskWatch.sentence(task)));
    if (!task.reason().isEmpty()) {
      screen.line(task.reason());
    }
  }

  /** Returns the exit code of a task; of one that has not ended, that of a queued change. */
  public static ExitCode exitCode(TaskReport task) {
    return switch (task.state()) {
      case QUEUED, RUNNING, DONE -> ExitCode.OK;
      case PARTLY_DONE, FAILED, CANCELLED -> ExitCode.PARTIAL;
      case UNKNOWN -> ExitCode.IO;
    };
  }
}
