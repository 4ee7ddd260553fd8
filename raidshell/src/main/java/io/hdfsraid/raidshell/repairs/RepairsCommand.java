// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.repairs;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.repairs.QueuedRepair;
import io.hdfsraid.raidshell.command.PagingOptions;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellOptions;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

@Command(
    name = "repairs",
    description = {
      "Lists the repair queue, most urgent first.",
      "With --watch, prints a line for each change until Ctrl-C. With --until-empty it ends by"
          + " itself; exit code 4: unrecoverable stripes are left; 5: some repairs are set aside"
          + " (PARKED)."
    })
public final class RepairsCommand extends RestCommand<Page<QueuedRepair>> {
  @Mixin private PagingOptions paging;

  @Option(
      names = "--watch",
      description =
          "Print each change, line by line; for a long queue only of its first --limit entries.")
  private boolean watch;

  @Option(
      names = "--until-empty",
      description = "Watch, and end when nothing waits, runs or is postponed any more.")
  private boolean untilEmpty;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "With --watch: seconds between two requests. Default: ${DEFAULT-VALUE}")
  private int interval;

  @Override
  public Integer call() throws IOException {
    if (!watch && !untilEmpty) {
      return super.call();
    }
    if (interval < 1) {
      throw new ParameterException(spec().commandLine(), "--interval must be at least 1");
    }
    ShellOptions shell = (ShellOptions) spec().root().userObject();
    return new RepairsWatch(shell.client(), paging.paging(), spec(), shell.json())
        .watch(interval, untilEmpty)
        .number();
  }

  @Override
  protected Page<QueuedRepair> ask(RaidNodeClient client) throws IOException {
    return client.repairs(paging.paging());
  }

  @Override
  protected void show(Page<QueuedRepair> repairs, Screen screen) {
    if (repairs.items().isEmpty() && repairs.next().isEmpty()) {
      screen.line("Nothing waits for repair.");
      return;
    }
    screen.table(
        List.of(
            "STATE",
            "LOST",
            "TOLERATES",
            "SINCE",
            "FOUND BY",
            "TRIES",
            "NEXT",
            "WHY",
            "STRIPE",
            "PATH"),
        repairs.items().stream().map(RepairsCommand::row).toList());
    PagingOptions.showNext(repairs.next(), screen);
  }

  private static List<String> row(QueuedRepair repair) {
    return List.of(
        repair.state().name(),
        repair.lost().toString(),
        Integer.toString(repair.furtherLosses()),
        Screen.time(repair.since()),
        repair.detectedBy(),
        Integer.toString(repair.attempts()),
        Screen.time(repair.nextAttempt()),
        repair.reason(),
        repair.id().toString(),
        repair.path());
  }
}
