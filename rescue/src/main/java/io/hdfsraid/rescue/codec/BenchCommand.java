// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.codec;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code raidshell bench}, the parent of the shell's benchmarks. */
@Command(
    name = "bench",
    description = "Measures the codecs on this machine. Needs no RaidNode.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    subcommands = CodecSpeedCommand.class)
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Which benchmark? There is: codec. All others are in bin/bench of a source checkout.");
  }
}
