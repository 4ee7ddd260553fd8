// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import static java.util.Map.entry;

import io.hdfsraid.raidapi.version.Build;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.ShellCommands;
import io.hdfsraid.raidshell.command.ShellOptions;
import io.hdfsraid.raidshell.command.TerminalSize;
import io.hdfsraid.raidshell.files.FilesCommand;
import io.hdfsraid.raidshell.files.HistogramCommand;
import io.hdfsraid.raidshell.health.FsckCommand;
import io.hdfsraid.raidshell.history.HistoryCommand;
import io.hdfsraid.raidshell.mode.FootprintCommand;
import io.hdfsraid.raidshell.mode.PauseCommand;
import io.hdfsraid.raidshell.mode.ResumeCommand;
import io.hdfsraid.raidshell.nodes.NodesCommand;
import io.hdfsraid.raidshell.placement.PlacementCommand;
import io.hdfsraid.raidshell.plan.PlanCommand;
import io.hdfsraid.raidshell.policies.ExplainCommand;
import io.hdfsraid.raidshell.policies.PoliciesCommand;
import io.hdfsraid.raidshell.quarantine.QuarantineCommand;
import io.hdfsraid.raidshell.raiding.RaidCommand;
import io.hdfsraid.raidshell.raiding.UnraidCommand;
import io.hdfsraid.raidshell.repairs.RepairCommand;
import io.hdfsraid.raidshell.repairs.RepairsCommand;
import io.hdfsraid.raidshell.repairs.StormCommand;
import io.hdfsraid.raidshell.savings.SavingsCommand;
import io.hdfsraid.raidshell.scrub.ScrubCommand;
import io.hdfsraid.raidshell.settings.SettingsCommand;
import io.hdfsraid.raidshell.standby.DaemonsCommand;
import io.hdfsraid.raidshell.standby.FailoverCommand;
import io.hdfsraid.raidshell.status.StatusCommand;
import io.hdfsraid.raidshell.tasks.ShowTaskCommand;
import io.hdfsraid.raidshell.tasks.TasksCommand;
import io.hdfsraid.raidshell.top.TopCommand;
import io.hdfsraid.raidshell.windows.WindowsCommand;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command line of the shell: all commands, and how a command runs. */
@Command(
    name = "raidshell",
    description = "Shows and controls HDFS-RAID.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = RaidShell.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%nParameters:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is well, or the request is done or queued",
      "1:the command line is wrong; nothing was sent",
      "2:no answer or no access: RaidNode, HDFS, network, token, no such file, full disk",
      "3:problems were found, and all of them are recoverable",
      "4:data is lost that cannot be rebuilt",
      "5:only a part was done or checked, or a task has failed",
      "6:refused for safety; nothing was changed"
    },
    usageHelpAutoWidth = false,
    usageHelpWidth = RaidShell.WIDEST_HELP)
public final class RaidShell extends ShellOptions implements Runnable {
  /**
   * The commands by name, in the order of the help. The names are here again because reading the
   * annotations of all commands takes longer than most commands do.
   */
  private static final List<Map.Entry<String, Class<?>>> COMMANDS =
      List.of(
          entry("help", HelpCommand.class),
          entry("status", StatusCommand.class),
          entry("top", TopCommand.class),
          entry("nodes", NodesCommand.class),
          entry("policies", PoliciesCommand.class),
          entry("files", FilesCommand.class),
          entry("explain", ExplainCommand.class),
          entry("raid", RaidCommand.class),
          entry("unraid", UnraidCommand.class),
          entry("quarantine", QuarantineCommand.class),
          entry("pause", PauseCommand.class),
          entry("windows", WindowsCommand.class),
          entry("resume", ResumeCommand.class),
          entry("footprint", FootprintCommand.class),
          entry("savings", SavingsCommand.class),
          entry("plan", PlanCommand.class),
          entry("histogram", HistogramCommand.class),
          entry("fsck", FsckCommand.class),
          entry("repair", RepairCommand.class),
          entry("scrub", ScrubCommand.class),
          entry("repairs", RepairsCommand.class),
          entry("tasks", TasksCommand.class),
          entry("task", ShowTaskCommand.class),
          entry("storm", StormCommand.class),
          entry("daemons", DaemonsCommand.class),
          entry("failover", FailoverCommand.class),
          entry("placement", PlacementCommand.class),
          entry("history", HistoryCommand.class),
          entry("settings", SettingsCommand.class));

  static final int WIDEST_HELP = 100;

  /** What picocli allows. */
  private static final int NARROWEST_HELP = 55;

  /** Words that make picocli list the commands. */
  private static final Set<String> SHOWS_ALL = Set.of("help", "--help", "-h");

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  private RaidShell() {}

  public static void main(String[] args) {
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(runOn(new FileOutputStream(FileDescriptor.out), err, args));
  }

  /**
   * Runs one command. If its output cannot be written, that is a failure, too, unless whoever reads
   * the output wants no more.
   *
   * @return an {@link ExitCode#number()}
   */
  public static int runOn(OutputStream target, PrintWriter err, String... args) {
    StandardOutput written = new StandardOutput(new BufferedOutputStream(target));
    PrintWriter out = new PrintWriter(written, true, StandardCharsets.UTF_8);
    int code = run(out, err, args);
    out.flush();
    Optional<String> failure = written.failure();
    failure.ifPresent(
        why -> err.println("raidshell: The output could not be written in full: " + why));
    return failure.isPresent() && code == ExitCode.OK.number() ? ExitCode.IO.number() : code;
  }

  /** Returns the names of the commands that are not in another jar. */
  public static List<String> commandNames() {
    return COMMANDS.stream().map(Map.Entry::getKey).toList();
  }

  /**
   * Runs one command.
   *
   * @return an {@link ExitCode#number()}
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    AncestorVerb.hint(args).ifPresent(hint -> err.println("raidshell: " + hint));
    String[] words = AncestorVerb.translated(args);
    return commandLine(out, err, words).execute(words);
  }

  /**
   * Returns the command line with all commands or, to start faster, with those whose names are
   * among the words. A word that is a value and also a name does no harm: that command is there,
   * too.
   */
  public static CommandLine commandLine(PrintWriter out, PrintWriter err, String... words) {
    Set<String> given = Set.copyOf(Arrays.asList(words));
    boolean all =
        COMMANDS.stream().noneMatch(each -> given.contains(each.getKey()))
            || !Collections.disjoint(given, SHOWS_ALL);
    RaidShell shell = new RaidShell();
    CommandLine commandLine = new CommandLine(shell);
    for (Map.Entry<String, Class<?>> each : COMMANDS) {
      if (all || given.contains(each.getKey())) {
        commandLine.addSubcommand(each.getKey(), each.getValue());
      }
    }
    if (all) {
      CommandLine completion = new CommandLine(new AutoComplete.GenerateCompletion());
      completion.getCommandSpec().usageMessage().hidden(true);
      commandLine.addSubcommand(completion);
    }
    for (ShellCommands more : ServiceLoader.load(ShellCommands.class)) {
      more.commands().forEach(commandLine::addSubcommand);
      more.subcommands()
          .forEach(
              (name, below) ->
                  Optional.ofNullable(commandLine.getSubcommands().get(name))
                      .ifPresent(parent -> below.forEach(parent::addSubcommand)));
      more.directAccess().ifPresent(shell::use);
    }
    Failures failures = new Failures(shell);
    TerminalSize.known()
        .ifPresent(
            terminal ->
                commandLine.setUsageHelpWidth(
                    Math.max(NARROWEST_HELP, Math.min(terminal.columns(), WIDEST_HELP))));
    return commandLine
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(out)
        .setErr(err)
        .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
        .setParameterExceptionHandler(failures)
        .setExecutionExceptionHandler(failures);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"HDFS-RAID " + Build.current(), "Java " + Runtime.version()};
    }
  }
}
