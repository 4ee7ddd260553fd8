// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.raiding;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.raiding.RaidRequest;
import io.hdfsraid.raidshell.command.HdfsPathConverter;
import io.hdfsraid.raidshell.command.TaskCommand;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "raid",
    description = {
      "Protects a file, or all files below a directory, by parity now, however warm the files are,"
          + " and lowers their replication.",
      "Shows the change; --yes carries it out."
    })
public final class RaidCommand extends TaskCommand {
  @Parameters(
      paramLabel = "PATH",
      converter = HdfsPathConverter.class,
      description = "A file or directory.")
  private String path;

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      description = "Erasure code. Default: the one of the policy for each file")
  private String codec;

  @Option(
      names = "--target-replication",
      paramLabel = "N",
      description = "Replicas that stay. Default: the number of the policy for each file")
  private Integer targetReplication;

  @Override
  protected ChangePreview ask(RaidNodeClient client) throws IOException {
    return client.raid(
        new RaidRequest(
            path, dryRun(), Optional.ofNullable(codec), Optional.ofNullable(targetReplication)));
  }
}
