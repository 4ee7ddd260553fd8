// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.tasks;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.TaskScreen;
import io.hdfsraid.raidshell.command.TaskWatch;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "task",
    description = {
      "Shows how far a task has come, or how it has ended.",
      "Exit code 5: the task has failed, was cancelled, or only a part of it was carried out."
    })
public final class ShowTaskCommand extends RestCommand<TaskReport> {
  @Parameters(paramLabel = "ID", description = "A task as 'tasks' lists it.")
  private String id;

  @Option(names = "--wait", description = "Follow the task to its end.")
  private boolean follows;

  @Override
  protected TaskReport ask(RaidNodeClient client) throws IOException {
    if (!follows) {
      return client.task(id);
    }
    // A watch waits minutes for a daemon that restarts, but nobody waits for a wrong address.
    client.version();
    return new TaskWatch(client, spec().commandLine().getErr()).follow(id);
  }

  @Override
  protected void show(TaskReport task, Screen screen) {
    TaskScreen.show(task, screen);
    screen.line(
        "Queued at %s by %s (request %s)%s; began at %s, ended at %s"
            .formatted(
                Screen.time(task.queuedAt()),
                task.by(),
                task.requestId().isEmpty() ? "-" : task.requestId(),
                task.operatorReason().isEmpty() ? "" : ": " + task.operatorReason(),
                Screen.time(task.startedAt()),
                Screen.time(task.endedAt())));
  }

  @Override
  protected ExitCode exitCode(TaskReport task) {
    return TaskScreen.exitCode(task);
  }
}
