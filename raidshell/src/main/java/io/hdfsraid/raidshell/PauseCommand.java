package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.PauseRequest;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RaidNodeClient;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(
    name = "pause",
    description = {
      "Lets policies raid nothing until 'resume'; repairs go on.",
      "Shows the plan; --yes carries it out."
    })
final class PauseCommand extends PlanCommand {
  @Override
  PlanView ask(RaidNodeClient client) throws IOException {
    return client.pause(new PauseRequest(true, dryRun()));
  }
}
