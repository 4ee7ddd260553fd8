package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.RaidRequest;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "raid",
    description = {
      "Protects a file, or all files below a directory, by parity now, however warm, and lowers"
          + " replication.",
      "Shows the plan; --yes carries it out."
    })
final class RaidCommand extends PlanCommand {
  @Parameters(paramLabel = "PATH", converter = HdfsPath.class, description = "A file or directory.")
  private String path;

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      description = "Erasure code. Default: that of the policy for each file")
  private String codec;

  @Option(
      names = "--target-replication",
      paramLabel = "N",
      description = "Replicas that stay. Default: that of the policy for each file")
  private Integer targetReplication;

  @Override
  PlanView ask(RaidNodeClient client) throws IOException {
    return client.raid(
        new RaidRequest(
            path, dryRun(), Optional.ofNullable(codec), Optional.ofNullable(targetReplication)));
  }
}
