// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.raiding;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.mode.WithdrawRequest;
import io.hdfsraid.raidapi.raiding.UnraidRequest;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.HdfsPathConverter;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.raidshell.command.TaskCommand;
import io.hdfsraid.raidshell.command.TypedConfirmation;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
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
  private static final String SENTENCE = "this data is lost";

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

  @Option(
      names = "--abandon",
      paramLabel = "PATH",
      converter = HdfsPathConverter.class,
      description =
          "With --all, while it is under way: do not wait for the blocks of this file that nothing"
              + " can rebuild. They stay lost. 'footprint' names such files. May be given several"
              + " times. With --yes it asks for a typed sentence.")
  private List<String> abandon = List.of();

  @Option(
      names = "--i-know-that-data-is-lost",
      description = "With --abandon and --yes: ask for no typed sentence, for scripts.")
  private boolean known;

  @Override
  protected ChangePreview ask(RaidNodeClient client) throws IOException {
    if (!abandon.isEmpty() && (!which.all || purge || removeRoot)) {
      throw new ParameterException(
          spec.commandLine(), "--abandon needs --all, without --purge and --remove-root");
    }
    if (known && abandon.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--i-know-that-data-is-lost needs --abandon");
    }
    if (!abandon.isEmpty()) {
      return abandon(client);
    }
    if (which.all) {
      return client.withdraw(new WithdrawRequest(purge, removeRoot, dryRun()));
    }
    if (purge || removeRoot) {
      throw new ParameterException(spec.commandLine(), "--purge and --remove-root need --all");
    }
    return client.unraid(new UnraidRequest(which.path, dryRun()));
  }

  private ChangePreview abandon(RaidNodeClient client) throws IOException {
    ChangePreview planned = client.withdraw(WithdrawRequest.abandoning(abandon, true));
    if (dryRun() || planned.outcome() != ChangePreview.Outcome.PLANNED) {
      return planned;
    }
    if (!known) {
      confirm(planned);
    }
    return client.withdraw(WithdrawRequest.abandoning(abandon, false));
  }

  private void confirm(ChangePreview planned) throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    planned.items().stream()
        .filter(item -> item.refused().isEmpty())
        .forEach(item -> err.println(Screen.printable(item.path() + ": " + item.what())));
    if (!TypedConfirmation.fromStandardInput(err).isTyped(SENTENCE)) {
      throw new ShellException(
          ExitCode.REFUSED,
          "The sentence was not typed, so nothing was changed",
          "In a script, add --i-know-that-data-is-lost.");
    }
  }
}
