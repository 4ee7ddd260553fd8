// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.repairs;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.repairs.RepairStorm;
import io.hdfsraid.raidapi.repairs.StormReport;
import io.hdfsraid.raidapi.repairs.StormRequest;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.YesOption;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "storm",
    description = {
      "Shows whether repairs pause because many DataNodes or units of many stripes were lost at"
          + " once.",
      "Stripes that tolerate no further loss are repaired anyway. The pause ends when nodes are"
          + " back."
    })
public final class StormCommand extends RestCommand<StormReport> {
  @Option(
      names = "--override",
      description = "Go on with all repairs, because the lost nodes will not come back soon.")
  private boolean override;

  @Mixin private YesOption yes;

  @Override
  protected String reason() {
    return yes.reason();
  }

  @Override
  protected StormReport ask(RaidNodeClient client) throws IOException {
    return override ? client.storm(new StormRequest(yes.dryRun())) : client.storm();
  }

  @Override
  protected void show(StormReport answer, Screen screen) {
    if (answer.storm().isEmpty()) {
      screen.line("No storm: repairs do not pause.");
      return;
    }
    RepairStorm storm = answer.storm().get();
    screen.line("Noticed %s: %s".formatted(Screen.time(storm.since()), storm.why()));
    screen.line(
        answer.overridden()
            ? "Overridden: all repairs go on. Only losses from now on count for a new pause."
            : "Repairs pause, except those of stripes that tolerate no further loss.");
    if (override && !answer.overridden()) {
      screen.line("Nothing was changed. To carry it out, add --yes.");
    }
  }
}
