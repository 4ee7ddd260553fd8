package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.UnraidRequest;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "unraid",
    description = {
      "Restores the replicas of a file, or of all files below a directory, then drops the parity.",
      "Shows the plan; --yes carries it out."
    })
final class UnraidCommand extends PlanCommand {
  @Parameters(paramLabel = "PATH", converter = HdfsPath.class, description = "A file or directory.")
  private String path;

  @Override
  PlanView ask(RaidNodeClient client) throws IOException {
    return client.unraid(new UnraidRequest(path, dryRun()));
  }
}
