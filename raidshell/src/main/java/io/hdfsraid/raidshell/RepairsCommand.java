package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.RepairView;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "repairs", description = "The repair queue, most urgent first.")
final class RepairsCommand extends RestCommand<Page<RepairView>> {
  @Mixin private PagingOptions paging;

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
        Integer.toString(repair.stripe()),
        repair.path());
  }
}
