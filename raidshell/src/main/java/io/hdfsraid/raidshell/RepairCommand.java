package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.RepairRequest;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "repair",
    description = {
      "Looks for lost blocks of a file, or of all raided files below a directory, and rebuilds them"
          + " now.",
      "Shows the plan; --yes carries it out."
    })
final class RepairCommand extends PlanCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      defaultValue = "/",
      converter = HdfsPath.class,
      description = "A file or directory. Default: ${DEFAULT-VALUE}")
  private String path;

  @Override
  PlanView ask(RaidNodeClient client) throws IOException {
    return client.repair(new RepairRequest(path, dryRun()));
  }
}
