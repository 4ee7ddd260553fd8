// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.repairs;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.StripeId;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.repairs.RepairRequest;
import io.hdfsraid.raidshell.command.DirectAccess;
import io.hdfsraid.raidshell.command.HdfsPathConverter;
import io.hdfsraid.raidshell.command.ShellOptions;
import io.hdfsraid.raidshell.command.StripeIdConverter;
import io.hdfsraid.raidshell.command.TaskCommand;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

@Command(
    name = "repair",
    description = {
      "Rebuilds lost blocks now: those of a file, of all raided files below a directory, of"
          + " stripes, or all known losses.",
      "Shows which units are read where, and where the rebuilt units go; --yes carries it" + " out."
    },
    subcommands = RepairCancelCommand.class)
public final class RepairCommand extends TaskCommand {
  @ArgGroup(multiplicity = "0..1")
  private Which which;

  static final class Which {
    @Parameters(
        paramLabel = "PATH",
        converter = HdfsPathConverter.class,
        description = "A file or directory. Asks every DataNode concerned what it has.")
    private String path;

    @Option(
        names = "--stripe",
        paramLabel = "INODE/INDEX",
        split = ",",
        converter = StripeIdConverter.class,
        description = "Stripes as 'repairs' and 'fsck' list them, e.g. 16387/0.")
    private List<StripeId> stripes;

    @Option(
        names = "--all",
        description = "All known losses, as 'repairs' lists them, whether due or set aside.")
    private boolean all;
  }

  @Option(
      names = "--offline",
      description =
          "Repair without a RaidNode: this shell becomes the only writer until it ends. Refused"
              + " (exit code 6) while a RaidNode is the writer.")
  private boolean offline;

  @Option(
      names = "--steal",
      description =
          "With --offline: also if a RaidNode has not returned its ownership, as soon as its lease"
              + " is over, about a minute after it was last heard of.")
  private boolean steal;

  @Override
  protected ChangePreview ask(ShellOptions shell) throws IOException {
    RepairRequest request = request();
    if (steal && !offline) {
      throw new ParameterException(spec().commandLine(), "--steal needs --offline");
    }
    return offline
        ? shell
            .directAccess()
            .repair(
                request, steal ? DirectAccess.Takeover.AFTER_LEASE : DirectAccess.Takeover.NEVER)
        : ask(client(shell));
  }

  @Override
  protected ChangePreview ask(RaidNodeClient client) throws IOException {
    return client.repair(request());
  }

  private RepairRequest request() {
    if (which == null) {
      throw new ParameterException(
          spec().commandLine(), "Name what to repair: a PATH, --stripe or --all.");
    }
    if (which.all) {
      return RepairRequest.all(dryRun());
    }
    return which.path == null
        ? RepairRequest.of(which.stripes, dryRun())
        : RepairRequest.below(which.path, dryRun());
  }
}
