package io.hdfsraid.raidnode;

import com.codahale.metrics.MetricRegistry;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command line of the daemon. */
@Command(
    name = "raidnode",
    description = "The HDFS-RAID daemon.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Commands.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the daemon was stopped, or the command is done",
      "4:another daemon has taken over",
      "64:the command line is wrong",
      "70:a bug of the daemon",
      "75:something outside keeps the daemon from starting, and may not do so later",
      "78:the configuration is wrong"
    })
final class Commands implements Callable<Integer> {
  private static final String NODE_FILE =
      "raidnode.yml, with policies.yml beside it. Default: that of conf.";

  private final Wiring wiring;
  private final Path defaultFile;
  private final PrintStream out;
  private final PrintStream err;
  private final Clock clock = Clock.systemUTC();

  @Spec private CommandSpec spec;

  /** The version of the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {
        "raidnode "
            + Optional.ofNullable(Commands.class.getPackage().getImplementationVersion())
                .orElse("development")
      };
    }
  }

  Commands(Wiring wiring, Path defaultFile, PrintStream out, PrintStream err) {
    this.wiring = wiring;
    this.defaultFile = defaultFile;
    this.out = out;
    this.err = err;
  }

  /**
   * Returns when the command is done; for {@code start}, when the daemon has stopped.
   *
   * @return an {@link ExitCode#number()}; if it is not 0, a message names the problem
   */
  int run(String... args) {
    CommandLine line =
        new CommandLine(this)
            .addSubcommand(new TokenCommands(this::settings, clock, out, err))
            .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure).number());
    exitCodeOfWrongUse(line);
    return line.execute(args);
  }

  private static void exitCodeOfWrongUse(CommandLine line) {
    line.getCommandSpec()
        .exitCodeOnInvalidInput(ExitCode.USAGE.number())
        .exitCodeOnExecutionException(ExitCode.SOFTWARE.number());
    line.getSubcommands().values().forEach(Commands::exitCodeOfWrongUse);
  }

  /** Without a command. */
  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  private ExitCode failed(Exception failure) throws Exception {
    if (failure instanceof SettingsException wrong) {
      err.println(wrong.getMessage());
      err.println("Nothing was started.");
      return ExitCode.CONFIGURATION;
    }
    if (failure instanceof StartException start) {
      err.println("raidnode: " + start.getMessage());
      return start.exitCode();
    }
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
      return ExitCode.TROUBLE;
    }
    throw failure;
  }

  private Settings settings(Optional<Path> file) throws SettingsException {
    return SettingsFiles.read(file.orElse(defaultFile), clock);
  }

  @Command(
      name = "check",
      description =
          "Reads the configuration and says what is wrong with it. Starts nothing, changes nothing.")
  int check(
      @Parameters(arity = "0..1", paramLabel = "FILE", description = NODE_FILE) Optional<Path> file)
      throws SettingsException {
    Settings settings = settings(file);
    Path node = file.orElse(defaultFile);
    SettingsFiles.warnings(node, settings, clock)
        .forEach(warning -> out.println("Warning: " + warning));
    out.printf(
        "%s and %s are fine: %d policies%n",
        node, node.resolveSibling(SettingsFiles.POLICIES), settings.policies().inOrder().size());
    return ExitCode.OK.number();
  }

  @Command(name = "start", description = "Runs the daemon, in the foreground.")
  int start(
      @Parameters(arity = "0..1", paramLabel = "FILE", description = NODE_FILE) Optional<Path> file)
      throws SettingsException, StartException, InterruptedException {
    Settings settings = settings(file);
    settings.node().getLoggingFactory().configure(new MetricRegistry(), "raidnode");
    RunningRaidNode running = RaidNode.start(settings, wiring, clock);
    // A signal stops the HTTP server, and with it all else.
    running.join();
    return (running.isDeposed() ? ExitCode.DEPOSED : ExitCode.OK).number();
  }
}
