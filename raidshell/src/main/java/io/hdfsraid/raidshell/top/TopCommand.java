// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.top;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidapi.nodes.NodesReport;
import io.hdfsraid.raidapi.repairs.QueuedRepair;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidapi.tasks.TaskState;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellOptions;
import io.hdfsraid.raidshell.command.TerminalSize;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "top",
    description = {
      "Shows what the RaidNode is doing now: jobs, tasks, rates, losses by urgency,"
          + " repairs, scrubs.",
      "Renews itself on a terminal until q or Ctrl-C. To a pipe or a file, it shows this once. With"
          + " --json, prints the status as one line each time."
    })
public final class TopCommand implements Callable<Integer> {
  private static final ObjectMapper JSON = ApiJson.mapper();

  /** Repairs to ask for. Those that do not fit the screen still count by urgency. */
  private static final int REPAIRS = 100;

  /** More tasks than run at a time. */
  private static final int TASKS = 10;

  /** DataNodes change seldom, and there may be thousands. */
  private static final int VIEWS_FOR_NODES = 10;

  private static final String TO_THE_TOP = "\u001b[H";
  private static final String REST_OF_THE_LINE_EMPTY = "\u001b[K";
  private static final String REST_OF_THE_SCREEN_EMPTY = "\u001b[J";

  @Spec private CommandSpec spec;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "3",
      description = "Seconds between two views. Default: ${DEFAULT-VALUE}")
  private int interval;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "End after N views. Default: 1 without a terminal, else no end")
  private Integer count;

  @Override
  public Integer call() throws IOException {
    if (interval < 1 || (count != null && count < 1)) {
      throw new ParameterException(spec.commandLine(), "--interval and --count must be at least 1");
    }
    ShellOptions shell = (ShellOptions) spec.root().userObject();
    Optional<TerminalSize> terminal = shell.json() ? Optional.empty() : TerminalSize.known();
    int views = count != null ? count : terminal.isPresent() ? Integer.MAX_VALUE : 1;
    try (Keyboard keyboard = terminal.isPresent() ? new Keyboard() : Keyboard.none()) {
      watch(shell.client(), shell.json(), terminal, views, keyboard);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("Interrupted while watching").initCause(e);
    }
    return ExitCode.OK.number();
  }

  private void watch(
      RaidNodeClient client,
      boolean json,
      Optional<TerminalSize> terminal,
      int views,
      Keyboard keyboard)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    View view = null;
    Optional<NodesReport> nodes = Optional.empty();
    for (int i = 0; i < views; i++) {
      if (i > 0 && keyboard.quits(interval)) {
        return;
      }
      Optional<String> trouble = Optional.empty();
      try {
        Status status = client.status();
        if (json) {
          out.println(JSON.writeValueAsString(status));
        } else {
          Page<TaskReport> tasks =
              client.tasks(Optional.of(TaskState.RUNNING), Paging.first(TASKS));
          Page<QueuedRepair> repairs = client.repairs(Paging.first(REPAIRS));
          if (i % VIEWS_FOR_NODES == 0 || nodes.isEmpty()) {
            nodes = nodes(client);
          }
          view =
              new View(Optional.ofNullable(view).map(View::status), status, tasks, repairs, nodes);
        }
      } catch (RaidNodeException e) {
        if (view == null) {
          throw e;
        }
        trouble = Optional.of(e.getMessage());
      }
      if (!json) {
        show(view, trouble, terminal, out);
      }
      if (out.checkError()) {
        return; // Nobody reads on.
      }
    }
  }

  /** Returns the DataNodes; empty while the NameNode, which knows them, does not answer. */
  private static Optional<NodesReport> nodes(RaidNodeClient client) throws IOException {
    try {
      return Optional.of(client.nodes());
    } catch (RaidNodeException e) {
      if (e.code() != ErrorCode.IO && e.code() != ErrorCode.NOT_READY) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private void show(
      View view, Optional<String> trouble, Optional<TerminalSize> terminal, PrintWriter out) {
    StringWriter text = new StringWriter();
    Screen screen = Screen.of(spec, new PrintWriter(text, true));
    trouble.ifPresent(
        what -> {
          screen.line(what);
          screen.line("What follows is old.");
          screen.blank();
        });
    view.show(screen);
    if (terminal.isEmpty()) {
      out.print(text);
      return;
    }
    out.print(
        text.toString()
            .lines()
            .limit(Math.max(1, terminal.get().rows() - 1))
            .map(line -> line + REST_OF_THE_LINE_EMPTY)
            .collect(Collectors.joining("\n", TO_THE_TOP, "\n" + REST_OF_THE_SCREEN_EMPTY)));
  }
}
