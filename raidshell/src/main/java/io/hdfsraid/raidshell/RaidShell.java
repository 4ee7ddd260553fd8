package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.RaidNodeClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The command line. */
@Command(
    name = "raidshell",
    description = "Shows and steers HDFS-RAID.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = RaidShell.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    optionListHeading = "%nOptions:%n",
    parameterListHeading = "%nParameters:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is well, or what was asked for is done or queued",
      "1:the command line is wrong; nothing was asked",
      "2:no answer or no access: RaidNode, HDFS, network, token, no such file",
      "3:findings, all of them recoverable",
      "4:data is lost for which what is left does not suffice",
      "5:done or checked in part only",
      "6:refused for safety; nothing was changed"
    },
    usageHelpAutoWidth = false,
    usageHelpWidth = 100,
    subcommands = {
      HelpCommand.class,
      StatusCommand.class,
      PoliciesCommand.class,
      FilesCommand.class,
      ExplainCommand.class,
      RaidCommand.class,
      UnraidCommand.class,
      QuarantineCommand.class,
      PauseCommand.class,
      HoursCommand.class,
      ResumeCommand.class,
      TracesCommand.class,
      SavingsCommand.class,
      OutlookCommand.class,
      HistogramCommand.class,
      FsckCommand.class,
      RepairCommand.class,
      ScrubCommand.class,
      RepairsCommand.class,
      StormCommand.class,
      PlacementCommand.class,
      HistoryCommand.class,
      SettingsCommand.class
    })
public final class RaidShell implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--url",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      defaultValue = "${RAIDNODE_URL:-http://127.0.0.1:8090}",
      description = "Where the RaidNode is. Default: $RAIDNODE_URL, else http://127.0.0.1:8090")
  private URI url;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      defaultValue = "${RAIDNODE_TOKEN_FILE}",
      description = "File with the token the RaidNode asks for. Default: $RAIDNODE_TOKEN_FILE")
  private Path tokenFile;

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Print the answer of the RaidNode as JSON, for programs.")
  private boolean json;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Print a stack trace with an error.")
  private boolean verbose;

  private WithoutRaidNode withoutRaidNode;

  private RaidShell() {}

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
   * @return an {@link ExitCode#number()}
   */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return commandLine(out, err).execute(args);
  }

  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    RaidShell shell = new RaidShell();
    CommandLine commandLine = new CommandLine(shell);
    for (ShellCommands more : ServiceLoader.load(ShellCommands.class)) {
      more.commands().forEach(commandLine::addSubcommand);
      more.subcommands()
          .forEach(
              (name, below) ->
                  below.forEach(commandLine.getSubcommands().get(name)::addSubcommand));
      more.withoutRaidNode().ifPresent(found -> shell.withoutRaidNode = found);
      more.complete(commandLine);
    }
    Failures failures = new Failures(shell);
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

  RaidNodeClient client() throws IOException {
    try {
      RaidNodeClient client = RaidNodeClient.at(url);
      return tokenFile == null ? client : client.withTokenFile(tokenFile);
    } catch (IllegalArgumentException e) {
      throw new ShellException(ExitCode.USAGE, e.getMessage(), "See --url.");
    }
  }

  /** What is done on HDFS itself, without a RaidNode. */
  WithoutRaidNode withoutRaidNode() {
    if (withoutRaidNode == null) {
      throw new ShellException(
          ExitCode.USAGE,
          "The jars for --offline are not on the class path",
          "bin/raidshell of the installation adds them.");
    }
    return withoutRaidNode;
  }

  boolean json() {
    return json;
  }

  boolean verbose() {
    return verbose;
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = RaidShell.class.getPackage().getImplementationVersion();
      return new String[] {"HDFS-RAID " + (version == null ? "(not from a jar)" : version)};
    }
  }
}
