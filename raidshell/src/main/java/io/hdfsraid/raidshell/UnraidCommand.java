package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.PlanView;
import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.UnraidRequest;
import io.hdfsraid.raidapi.WithdrawRequest;
import java.io.IOException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "unraid",
    description = {
      "Restores the replicas of a file, or of all files below a directory, then drops the parity.",
      "No policy raids these files again until one raids them by hand.",
      "With --all: of every file, and policies raid nothing more until 'resume'.",
      "Shows the plan; --yes carries it out."
    })
final class UnraidCommand extends PlanCommand {
  @Spec private CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Which which;

  static final class Which {
    @Parameters(
        paramLabel = "PATH",
        converter = HdfsPath.class,
        description = "A file or directory.")
    private String path;

    @Option(
        names = "--all",
        description = "Every file under parity; 'traces' shows what is left on HDFS.")
    private boolean all;
  }

  @Option(
      names = "--purge",
      description =
          "With --all: delete the parity as soon as no block needs it, without quarantine.")
  private boolean purge;

  @Option(
      names = "--remove-root",
      description =
          "With --all: also remove /.raid, the owner file last. Stop the RaidNode then; started"
              + " again it makes /.raid anew.")
  private boolean removeRoot;

  @Override
  PlanView ask(RaidNodeClient client) throws IOException {
    if (which.all) {
      return client.withdraw(new WithdrawRequest(purge, removeRoot, dryRun()));
    }
    if (purge || removeRoot) {
      throw new ParameterException(
          spec.commandLine(), "--purge and --remove-root go with --all only");
    }
    return client.unraid(new UnraidRequest(which.path, dryRun()));
  }
}
