// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import com.codahale.metrics.MetricRegistry;
import io.hdfsraid.raidapi.version.Build;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.hdfs.NameNodeAddress;
import io.hdfsraid.raidnode.hdfs.Nameservices;
import io.hdfsraid.raidnode.process.DaemonRunsException;
import io.hdfsraid.raidnode.process.PidFile;
import io.hdfsraid.raidnode.process.PidFile.RunningProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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
      "3:status: no daemon runs",
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

  /** The version and the commit. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"raidnode " + Build.current()};
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
    return line().execute(args);
  }

  CommandLine line() {
    CommandLine line =
        new CommandLine(this)
            .addSubcommand(new TokenCommands(this::settings, clock, out, err))
            .addSubcommand(new CatalogCommands(this::settings, clock, out, err))
            .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(err, true, StandardCharsets.UTF_8))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure).number());
    exitCodeOfWrongUse(line);
    return line;
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
          "Reads the configuration, tries the folders, ports and files of this machine, and says what is wrong. Starts nothing, changes nothing.")
  int check(
      @Parameters(arity = "0..1", paramLabel = "FILE", description = NODE_FILE) Optional<Path> file)
      throws SettingsException, StartException {
    Settings settings = settings(file);
    Path node = file.orElse(defaultFile);
    SettingsFiles.fetchPasswords(node, settings);
    Stream.concat(
            SettingsFiles.warnings(node, SettingsFiles.identities(node, settings)).stream(),
            SettingsFiles.warnings(node, settings, clock).stream())
        .forEach(warning -> out.println("Warning: " + warning));
    List<String> names = nameservices(settings, node);
    if (names.isEmpty()) {
      NameNodeAddress.configured()
          .problem()
          .ifPresent(problem -> out.println("Warning: " + problem));
    } else {
      out.println("Nameservices: " + String.join(", ", names));
    }
    Optional<RunningProcess> running = new ProcessCommands(out, err).running(settings);
    running.ifPresent(
        process -> out.printf("Process %d runs with this configuration%n", process.pid()));
    List<String> problems = new LocalResources(settings, clock).problems(running);
    if (!problems.isEmpty()) {
      problems.forEach(problem -> err.printf("%s: %s%n", node, problem));
      return ExitCode.TROUBLE.number();
    }
    int policies = settings.policies().inOrder().size();
    out.printf(
        "%s and %s are fine: %d %s%n",
        node,
        node.resolveSibling(SettingsFiles.POLICIES),
        policies,
        policies == 1 ? "policy" : "policies");
    return ExitCode.OK.number();
  }

  @Command(
      name = "version",
      description = "Says what this raidnode is built from, runs on, and writes.")
  int version() {
    out.println(Versions.text());
    return ExitCode.OK.number();
  }

  @Command(
      name = "start",
      aliases = "run",
      description = {
        "Runs the daemon, in the foreground.",
        "With --daemon, bin/raidnode starts it in the background and returns when it listens."
      })
  int start(
      @Parameters(arity = "0..1", paramLabel = "FILE", description = NODE_FILE) Optional<Path> file)
      throws SettingsException, StartException, InterruptedException {
    Settings settings = settings(file);
    SettingsFiles.identities(file.orElse(defaultFile), settings);
    SettingsFiles.fetchPasswords(file.orElse(defaultFile), settings);
    settings.node().getLoggingFactory().configure(new MetricRegistry(), "raidnode");
    List<String> names = nameservices(settings, file.orElse(defaultFile));
    try (PidFile process = PidFile.take(settings.catalogDirectory(), clock.instant())) {
      if (names.size() > 1) {
        try (NameserviceDaemons daemons =
            NameserviceDaemons.start(
                file.orElse(defaultFile), names, wiring, clock, process::listens)) {
          daemons.join();
        }
        return ExitCode.OK.number();
      }
      Wiring only = names.isEmpty() ? wiring : wiring.of(names.get(0));
      RunningRaidNode running;
      do {
        running = RaidNode.start(settings, only, clock, process::listens);
        // A signal stops the HTTP server, and with it all else.
        running.join();
      } while (running.isDeposed() && settings.node().standby().enabled());
      return (running.isDeposed() ? ExitCode.DEPOSED : ExitCode.OK).number();
    } catch (DaemonRunsException e) {
      throw new StartException(ExitCode.TROUBLE, e.getMessage(), e);
    } catch (IOException e) {
      throw new StartException(
          ExitCode.TROUBLE,
          "User %s cannot write into the folder of the daemon's notebook (catalog.directory): %s"
              .formatted(System.getProperty("user.name"), e),
          e);
    }
  }

  /**
   * Returns the nameservices that the daemon guards; empty if it is the one of {@code
   * fs.defaultFS}.
   *
   * @throws StartException if Hadoop's configuration does not know one, or one of a policy
   */
  private static List<String> nameservices(Settings settings, Path node) throws StartException {
    List<String> wanted = settings.node().hdfs().nameservices().stream().distinct().toList();
    for (String name : wanted) {
      Optional<String> problem = Nameservices.problem(name);
      if (problem.isPresent()) {
        throw new StartException(
            ExitCode.CONFIGURATION, node + ": hdfs.nameservices: " + problem.get(), null);
      }
    }
    Optional<String> problem = Nameservices.problem(settings.policies());
    if (problem.isPresent()) {
      throw new StartException(
          ExitCode.CONFIGURATION,
          "%s: %s".formatted(node.resolveSibling(SettingsFiles.POLICIES), problem.get()),
          null);
    }
    return wanted;
  }

  @Command(
      name = "status",
      description =
          "Says whether the daemon of this configuration runs on this machine, and since when.")
  int status(
      @Option(
              names = "--await",
              paramLabel = "PID",
              description = "First waits until this process listens, or has ended.")
          Optional<Long> pid,
      @Parameters(arity = "0..1", paramLabel = "FILE", description = NODE_FILE) Optional<Path> file)
      throws SettingsException, StartException, InterruptedException {
    Settings settings = settings(file);
    ProcessCommands process = new ProcessCommands(out, err);
    return (pid.isPresent() ? process.await(settings, pid.get()) : process.status(settings))
        .number();
  }

  @Command(
      name = "stop",
      description =
          "Stops the daemon of this configuration on this machine, and waits for its end.")
  int stop(
      @Option(
              names = "--timeout",
              paramLabel = "SECONDS",
              defaultValue = "60",
              description = "How long to wait. Default: ${DEFAULT-VALUE}.")
          long seconds,
      @Parameters(arity = "0..1", paramLabel = "FILE", description = NODE_FILE) Optional<Path> file)
      throws SettingsException, StartException, InterruptedException {
    return new ProcessCommands(out, err).stop(settings(file), Duration.ofSeconds(seconds)).number();
  }
}
