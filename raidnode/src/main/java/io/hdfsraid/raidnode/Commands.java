package io.hdfsraid.raidnode;

import com.codahale.metrics.MetricRegistry;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;

/** The command line of the daemon. */
final class Commands {
  private static final String USAGE =
      """
      usage: raidnode start [raidnode.yml]   run the daemon, in the foreground
             raidnode check [raidnode.yml]   read the configuration and say what is wrong with it
      policies.yml is read from the folder of raidnode.yml.\
      """;

  private final Wiring wiring;
  private final Path defaultFile;
  private final PrintStream out;
  private final PrintStream err;

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
    return carryOut(args).number();
  }

  private ExitCode carryOut(String... args) {
    if (args.length == 1 && args[0].matches("-h|--help|help")) {
      out.println(USAGE);
      return ExitCode.OK;
    }
    if (args.length < 1 || args.length > 2) {
      err.println(USAGE);
      return ExitCode.USAGE;
    }
    Clock clock = Clock.systemUTC();
    Path file = args.length == 2 ? Path.of(args[1]) : defaultFile;
    try {
      return switch (args[0]) {
        case "check" -> check(file, clock);
        case "start" -> start(SettingsFiles.read(file, clock), clock);
        default -> {
          err.println("raidnode: there is no command '" + args[0] + "'\n" + USAGE);
          yield ExitCode.USAGE;
        }
      };
    } catch (SettingsException e) {
      err.println(e.getMessage());
      err.println("Nothing was started.");
      return ExitCode.CONFIGURATION;
    } catch (StartException e) {
      err.println("raidnode: " + e.getMessage());
      return e.exitCode();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.TROUBLE;
    }
  }

  private ExitCode check(Path file, Clock clock) throws SettingsException {
    Settings settings = SettingsFiles.read(file, clock);
    SettingsFiles.warnings(file, settings, clock)
        .forEach(warning -> out.println("Warning: " + warning));
    out.printf(
        "%s and %s are fine: %d policies%n",
        file, file.resolveSibling(SettingsFiles.POLICIES), settings.policies().inOrder().size());
    return ExitCode.OK;
  }

  private ExitCode start(Settings settings, Clock clock)
      throws StartException, InterruptedException {
    settings.node().getLoggingFactory().configure(new MetricRegistry(), "raidnode");
    RunningRaidNode running = RaidNode.start(settings, wiring, clock);
    // A signal stops the HTTP server, and with it all else.
    running.join();
    return running.isDeposed() ? ExitCode.DEPOSED : ExitCode.OK;
  }
}
