// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.ChangePreview.Outcome;
import io.hdfsraid.raidapi.tasks.TaskReport;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Mixin;

/** A change that a task carries out, which the command follows to its end if that is wanted. */
public abstract class TaskCommand extends ChangeCommand {
  @Mixin private FollowOptions follow;

  @Override
  protected final Integer answered(ShellOptions shell, ChangePreview plan) throws IOException {
    Optional<String> id = plan.outcome() == Outcome.ACCEPTED ? plan.task() : Optional.empty();
    if (id.isEmpty() || !follow.follows()) {
      return super.answered(shell, plan);
    }
    if (!shell.json()) {
      show(plan, screen());
    }
    TaskReport end = new TaskWatch(client(shell), spec().commandLine().getErr()).follow(id.get());
    if (shell.json()) {
      print(end);
    } else {
      TaskScreen.show(end, screen());
    }
    return TaskScreen.exitCode(end).number();
  }
}
