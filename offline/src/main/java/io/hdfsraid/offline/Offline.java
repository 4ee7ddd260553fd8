package io.hdfsraid.offline;

import io.hdfsraid.offline.bench.BenchCommand;
import io.hdfsraid.offline.demo.DemoCommand;
import io.hdfsraid.offline.demo.DemoFailure;
import io.hdfsraid.offline.doctor.DoctorCommand;
import io.hdfsraid.raidshell.ShellException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;

/** The command line of {@code bin/raidnode demo} and of what else needs no daemon. */
@Command(
    name = "raidnode",
    description = "Commands that need no daemon.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is well",
      "1:it failed, and the last line says why",
      "2:the command line is wrong; nothing was started"
    },
    usageHelpWidth = 100)
public final class Offline implements Runnable {
  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private Offline() {}

  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    int code = run(out, err, args);
    out.flush();
    System.exit(code);
  }

  /**
   * Runs one command.
   *
   * @return 0, 1 when it failed, 2 when the command line is wrong
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    CommandLine commandLine = new CommandLine(new Offline());
    commandLine.addSubcommand(new DemoCommand());
    commandLine.addSubcommand(new CodecsCommand());
    commandLine.addSubcommand(new DoctorCommand());
    commandLine.addSubcommand(
        new CommandLine(new Policies()).addSubcommand(new ValidatePoliciesCommand()));
    CommandLine bench = new CommandLine(new BenchCommand());
    BenchCommand.complete(bench);
    commandLine.addSubcommand(bench);
    return commandLine
        .setOut(out)
        .setErr(err)
        .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
        .setParameterExceptionHandler((e, arguments) -> wrongUsage(e))
        .setExecutionExceptionHandler((e, command, parsed) -> failed(e, command))
        .execute(args);
  }

  private static int wrongUsage(ParameterException e) {
    complain(e.getCommandLine(), e.getMessage());
    return WRONG_USAGE;
  }

  private static int failed(Exception e, CommandLine command) {
    if (e instanceof ParameterException wrong) {
      return wrongUsage(wrong);
    }
    String hint = e instanceof ShellException refused ? refused.hint() : "";
    boolean told = e instanceof ShellException || e instanceof DemoFailure;
    complain(command, told ? (e.getMessage() + " " + hint).strip() : e.toString());
    return FAILED;
  }

  private static void complain(CommandLine command, String message) {
    command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + message);
    command.getErr().flush();
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command? See --help.");
  }

  /** Only the name before {@code validate}. */
  @Command(name = "policies", description = "What is in policies.yml.")
  private static final class Policies implements Runnable {
    @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
      throw new ParameterException(spec.commandLine(), "Which command? There is: validate.");
    }
  }
}
