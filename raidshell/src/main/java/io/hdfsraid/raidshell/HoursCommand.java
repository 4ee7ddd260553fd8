package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.HoursView;
import io.hdfsraid.raidapi.RaidNodeClient;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(
    name = "hours",
    description = {
      "When policies may act: by their windows and blackouts, or as an operator wants for a while.",
      "Repairs know no hours."
    },
    subcommands = {HoursOverrideCommand.class, HoursFollowCommand.class})
final class HoursCommand extends HoursScreen {
  @Override
  HoursView ask(RaidNodeClient client) throws IOException {
    return client.hours();
  }
}
