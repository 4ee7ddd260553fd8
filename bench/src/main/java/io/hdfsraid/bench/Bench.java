// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench;

import io.hdfsraid.bench.codec.CodecBenchCommand;
import io.hdfsraid.bench.encode.EncodeBenchCommand;
import io.hdfsraid.bench.engine.EngineBenchCommand;
import io.hdfsraid.bench.index.IndexBenchCommand;
import io.hdfsraid.bench.place.PlaceBenchCommand;
import io.hdfsraid.bench.raid.RaidBenchCommand;
import io.hdfsraid.bench.read.ReadBenchCommand;
import io.hdfsraid.bench.repair.RepairBenchCommand;
import io.hdfsraid.bench.scale.ScaleBenchCommand;
import io.hdfsraid.bench.trace.TraceBenchCommand;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.rescue.output.Program;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program {@code bin/bench}. Each benchmark is a subcommand. */
@Command(
    name = "bench",
    description = "Measures parts of HDFS-RAID on this machine. Needs no RaidNode.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the report is complete",
      "1:the command line is wrong; nothing was measured",
      "2:the benchmark failed; the last line says why",
      "3:a goal was missed, with --strict"
    },
    usageHelpWidth = 100,
    subcommands = {
      CodecBenchCommand.class,
      RaidBenchCommand.class,
      RepairBenchCommand.class,
      ReadBenchCommand.class,
      IndexBenchCommand.class,
      TraceBenchCommand.class,
      PlaceBenchCommand.class,
      EngineBenchCommand.class,
      EncodeBenchCommand.class,
      ScaleBenchCommand.class,
      HelpCommand.class
    })
public final class Bench implements Runnable {
  private static final Program PROGRAM =
      new Program(
          ExitCode.USAGE.number(),
          e -> (e instanceof ShellException failure ? failure.exitCode() : ExitCode.IO).number());

  @Spec private CommandSpec spec;

  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int code = run(out, err, args);
    out.flush();
    System.exit(code);
  }

  /** Runs one benchmark and returns the exit code. */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return PROGRAM.run(new Bench(), out, err, args);
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "Which bench? There is: " + String.join(", ", spec.subcommands().keySet()) + ".");
  }
}
