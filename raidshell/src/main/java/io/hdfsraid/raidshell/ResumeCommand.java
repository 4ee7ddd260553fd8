package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.PauseRequest;
import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RaidNodeClient;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(
    name = "resume",
    description = {
      "Lets policies raid again after 'pause' or 'unraid --all'.",
      "Shows the plan; --yes carries it out."
    })
final class ResumeCommand extends PlanCommand {
  @Override
  PlanView ask(RaidNodeClient client) throws IOException {
    return client.pause(new PauseRequest(false, dryRun()));
  }
}
