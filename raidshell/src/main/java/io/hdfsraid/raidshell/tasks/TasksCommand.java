// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.tasks;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.tasks.CancelTaskRequest;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidshell.command.ChangeCommand;
import io.hdfsraid.raidshell.command.PagingOptions;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "tasks",
    description = {
      "Lists the tasks that carry out changes and checks, newest first.",
      "The newest 1,000 changes and 100 checks of the last seven days are kept.",
      "'raidshell task ID' shows one of them."
    },
    subcommands = TasksCommand.CancelCommand.class)
public final class TasksCommand extends RestCommand<Page<TaskReport>> {
  @Option(
      names = "--state",
      paramLabel = "STATE",
      completionCandidates = States.class,
      description = "Only tasks in this state: ${COMPLETION-CANDIDATES}")
  private TaskState state;

  /** The states that a task can be in, by name. */
  private static final class States implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.of(TaskState.values())
          .filter(state -> state != TaskState.UNKNOWN)
          .map(Enum::name)
          .iterator();
    }
  }

  @Mixin private PagingOptions paging;

  @Override
  protected Page<TaskReport> ask(RaidNodeClient client) throws IOException {
    return client.tasks(Optional.ofNullable(state), paging.paging());
  }

  @Override
  protected void show(Page<TaskReport> tasks, Screen screen) {
    if (tasks.items().isEmpty() && tasks.next().isEmpty()) {
      screen.line("There are no tasks.");
      return;
    }
    screen.table(
        List.of("TASK", "STATE", "DONE", "QUEUED", "ENDED", "BY", "ACTION", "PATH", "WHY NOT DONE"),
        tasks.items().stream().map(TasksCommand::row).toList());
    PagingOptions.showNext(tasks.next(), screen);
  }

  private static List<String> row(TaskReport task) {
    return List.of(
        task.id(),
        task.state().name(),
        String.format(Locale.ROOT, "%.0f%%", task.progress().percent()),
        Screen.time(task.queuedAt()),
        Screen.time(task.endedAt()),
        task.by(),
        task.action().name(),
        task.path(),
        task.reason().isEmpty() ? "-" : task.reason());
  }

  @Command(
      name = "cancel",
      description = {
        "Drops a task that waits, or interrupts one that runs. What was done stays done, and nothing"
            + " is left half done.",
        "Shows the change; --yes carries it out."
      })
  static final class CancelCommand extends ChangeCommand {
    @Parameters(paramLabel = "ID", description = "A task as 'tasks' lists it.")
    private String id;

    @Override
    protected ChangePreview ask(RaidNodeClient client) throws IOException {
      return client.cancelTask(id, new CancelTaskRequest(dryRun()));
    }
  }
}
