package io.hdfsraid.raidnode;

import com.codahale.metrics.MetricRegistry;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;

/**
 * The command line of the daemon. Exit code 0 means success; exit code 1 means that a message names
 * the problem; exit code {@value #DEPOSED} means that another daemon has taken over.
 */
final class Commands {
  static final int DEPOSED = 4;

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

  /** Returns when the command is done; for {@code start}, when the daemon has stopped. */
  int run(String... args) {
    if (args.length == 1 && args[0].matches("-h|--help|help")) {
      out.println(USAGE);
      return 0;
    }
    if (args.length < 1 || args.length > 2) {
      err.println(USAGE);
      return 1;
    }
    Clock clock = Clock.systemUTC();
    Path file = args.length == 2 ? Path.of(args[1]) : defaultFile;
    try {
      return switch (args[0]) {
        case "check" -> check(file, clock);
        case "start" -> start(SettingsFiles.read(file, clock), clock);
        default -> {
          err.println("raidnode: there is no command '" + args[0] + "'\n" + USAGE);
          yield 1;
        }
      };
    } catch (SettingsException e) {
      err.println(e.getMessage());
      err.println("Nothing was started.");
      return 1;
    } catch (StartException e) {
      err.println("raidnode: " + e.getMessage());
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private int check(Path file, Clock clock) throws SettingsException {
    Settings settings = SettingsFiles.read(file, clock);
    SettingsFiles.warnings(file, settings, clock)
        .forEach(warning -> out.println("Warning: " + warning));
    out.printf(
        "%s and %s are fine: %d policies%n",
        file, file.resolveSibling(SettingsFiles.POLICIES), settings.policies().inOrder().size());
    return 0;
  }

  private int start(Settings settings, Clock clock) throws StartException, InterruptedException {
    settings.node().getLoggingFactory().configure(new MetricRegistry(), "raidnode");
    RunningRaidNode running = RaidNode.start(settings, wiring, clock);
    // A signal stops the HTTP server, and with it all else.
    running.join();
    return running.isDeposed() ? DEPOSED : 0;
  }
}
