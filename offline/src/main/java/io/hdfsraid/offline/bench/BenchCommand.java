package io.hdfsraid.offline.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The name before what is to be measured. */
@Command(
    name = "bench",
    description = "Measures parts of HDFS-RAID on this machine. Needs no RaidNode.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    subcommands = {
      CodecBenchCommand.class,
      RaidBenchCommand.class,
      RepairBenchCommand.class,
      IndexBenchCommand.class,
      TraceBenchCommand.class
    })
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** To be called when the command has been added to its parent. */
  public static void complete(CommandLine bench) {
    bench
        .getSubcommands()
        .values()
        .forEach(command -> BenchOptions.addJson(command.getCommandSpec()));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Which bench? There is: " + String.join(", ", spec.subcommands().keySet()) + ".");
  }
}
