package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.RepairRequest;
import io.hdfsraid.raidapi.StripeId;
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
      "Rebuilds lost blocks now: of a file or of all raided files below a directory, of stripes, or"
          + " all that are known.",
      "Shows the plan: which units are read where, and where the rebuilt ones go; --yes carries it"
          + " out."
    },
    subcommands = RepairCancelCommand.class)
final class RepairCommand extends PlanCommand {
  @ArgGroup(multiplicity = "0..1")
  private Which which;

  static final class Which {
    @Parameters(
        paramLabel = "PATH",
        converter = HdfsPath.class,
        description = "A file or directory: every DataNode concerned is asked what it has.")
    private String path;

    @Option(
        names = "--stripe",
        paramLabel = "INODE/INDEX",
        split = ",",
        converter = StripeName.class,
        description = "Stripes as 'repairs' and 'fsck' name them, e.g. 16387/0.")
    private List<StripeId> stripes;

    @Option(
        names = "--all",
        description = "All that is known to be lost, as 'repairs' lists it, due or set aside.")
    private boolean all;
  }

  @Option(
      names = "--offline",
      description =
          "Without a RaidNode: this shell becomes the one writer until it has ended. Refused (exit"
              + " code 6) while a RaidNode is.")
  private boolean offline;

  @Option(
      names = "--steal",
      description =
          "With --offline: also when a RaidNode has not given its ownership back, once its lease is"
              + " over, about a minute after it was last heard of.")
  private boolean steal;

  @Override
  PlanView ask(RaidShell shell) throws IOException {
    RepairRequest request = request();
    if (steal && !offline) {
      throw new ParameterException(spec().commandLine(), "--steal goes with --offline only");
    }
    return offline
        ? shell
            .withoutRaidNode()
            .repair(
                request,
                steal ? WithoutRaidNode.Takeover.AFTER_LEASE : WithoutRaidNode.Takeover.NEVER)
        : ask(shell.client());
  }

  @Override
  PlanView ask(RaidNodeClient client) throws IOException {
    return client.repair(request());
  }

  private RepairRequest request() {
    if (which == null) {
      throw new ParameterException(
          spec().commandLine(), "What is to be repaired? Give a PATH, --stripe or --all.");
    }
    if (which.all) {
      return RepairRequest.all(dryRun());
    }
    return which.path == null
        ? RepairRequest.of(which.stripes, dryRun())
        : RepairRequest.below(which.path, dryRun());
  }
}
