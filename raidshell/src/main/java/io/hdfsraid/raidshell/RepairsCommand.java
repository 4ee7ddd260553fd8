package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.RepairView;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

@Command(
    name = "repairs",
    description = {
      "The repair queue, most urgent first.",
      "With --watch, a line for each change, until Ctrl-C. With --until-empty it ends by itself;"
          + " exit code 4: what is left is unrecoverable; 5: some is set aside (PARKED)."
    })
final class RepairsCommand extends RestCommand<Page<RepairView>> {
  @Mixin private PagingOptions paging;

  @Option(
      names = "--watch",
      description = "Print what changes, line by line; of a long queue, of its first --limit.")
  private boolean watch;

  @Option(
      names = "--until-empty",
      description = "Watch, and end when nothing waits, runs or is postponed any more.")
  private boolean untilEmpty;

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "With --watch: ask so often. Default: ${DEFAULT-VALUE}")
  private int interval;

  @Override
  public Integer call() throws IOException {
    if (!watch && !untilEmpty) {
      return super.call();
    }
    if (interval < 1) {
      throw new ParameterException(spec().commandLine(), "--interval is at least 1");
    }
    RaidShell shell = (RaidShell) spec().root().userObject();
    return new RepairsWatch(
            shell.client(), paging.paging(), spec().commandLine().getOut(), shell.json())
        .watch(interval, untilEmpty)
        .number();
  }

  @Override
  Page<RepairView> ask(RaidNodeClient client) throws IOException {
    return client.repairs(paging.paging());
  }

  @Override
  void show(Page<RepairView> repairs, Screen screen) {
    if (repairs.items().isEmpty() && repairs.next().isEmpty()) {
      screen.line("Nothing waits for repair.");
      return;
    }
    screen.table(
        List.of(
            "STATE",
            "LOST",
            "CAN BEAR",
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

  private static List<String> row(RepairView repair) {
    return List.of(
        repair.state().name(),
        repair.lost().toString(),
        Integer.toString(repair.canBear()),
        Screen.time(repair.since()),
        repair.detectedBy(),
        Integer.toString(repair.attempts()),
        Screen.time(repair.nextAttempt()),
        repair.reason(),
        repair.id().toString(),
        repair.path());
  }
}
