// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import io.hdfsraid.raidshell.command.ExitCode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code help}. It replaces picocli's own, which shows inherited options twice. */
@Command(name = "help", description = "Shows the help of a command, or lists all commands.")
final class HelpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..*",
      description = "A command, such as: status, or: quarantine list")
  private List<String> words = List.of();

  @Override
  public Integer call() {
    CommandLine command = spec.root().commandLine();
    for (String word : words) {
      CommandLine below = command.getSubcommands().get(word);
      if (below == null) {
        throw new ParameterException(
            spec.commandLine(),
            "There is no command '%s'. There are: %s"
                .formatted(
                    String.join(" ", words),
                    String.join(", ", spec.root().subcommands().keySet())));
      }
      command = below;
    }
    command.usage(spec.commandLine().getOut());
    return ExitCode.OK.number();
  }
}
