package io.hdfsraid.raidshell.raiding;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.mode.WithdrawRequest;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
import io.hdfsraid.raidshell.command.HdfsPathConverter;
import io.hdfsraid.raidshell.command.TaskCommand;
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
      "Restores the replicas of a file, or of all files below a directory, then retires the"
          + " parity.",
      "No policy raids these files again until an operator raids them.",
      "With --all: unraids every file, and policies raid nothing more until 'resume'.",
      "Shows the change; --yes carries it out."
    })
public final class UnraidCommand extends TaskCommand {
  @Spec private CommandSpec spec;

  @ArgGroup(multiplicity = "1")
  private Which which;

  static final class Which {
    @Parameters(
        paramLabel = "PATH",
        converter = HdfsPathConverter.class,
        description = "A file or directory.")
    private String path;

    @Option(
        names = "--all",
        description = "Unraid every file under parity; 'footprint' shows what is left on HDFS.")
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
          "With --all: also remove /.raid, the owner file last. Then stop the RaidNode. If it is"
              + " started again, it creates /.raid again.")
  private boolean removeRoot;

  @Override
  protected ChangePreview ask(RaidNodeClient client) throws IOException {
    if (which.all) {
      return client.withdraw(new WithdrawRequest(purge, removeRoot, dryRun()));
    }
    if (purge || removeRoot) {
      throw new ParameterException(spec.commandLine(), "--purge and --remove-root need --all");
    }
    return client.unraid(new UnraidRequest(which.path, dryRun()));
  }
}
