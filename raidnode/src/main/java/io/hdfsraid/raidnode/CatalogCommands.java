// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.raidnode.catalog.ClosedCatalog;
import io.hdfsraid.raidnode.catalog.ClosedCatalog.Content;
import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.process.PidFile;
import io.hdfsraid.raidnode.process.PidFile.RunningProcess;
import io.hdfsraid.raidnode.schedule.Failures;
import io.hdfsraid.raidnode.terminal.CopyBar;
import io.hdfsraid.recency.rocksdb.DatabaseException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;

/** The commands for the notebook of a daemon that does not run. None of them touches HDFS. */
@Command(
    name = "catalog",
    description = {
      "Checks, copies and replaces the catalog, while the daemon is stopped.",
      "The catalog is a notebook: what it says of files is made again from HDFS when it is lost. The history, the counts of accesses and the tasks are not."
    },
    synopsisSubcommandLabel = "COMMAND")
final class CatalogCommands extends CommandGroup {
  @Option(
      names = "--nameservice",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "Whose catalog, of a daemon that guards several nameservices.")
  private Optional<String> nameservice = Optional.empty();

  CatalogCommands(SettingsReader reader, Clock clock, PrintStream out, PrintStream err) {
    super(reader, clock, out, err);
  }

  private interface Work {
    void on(ClosedCatalog catalog) throws IOException;
  }

  private int attempt(Work work) throws SettingsException {
    Settings settings = settings();
    Path process = settings.processDirectory();
    List<String> several = settings.node().hdfs().nameservices();
    if (several.size() < 2 ? nameservice.isPresent() : !several.contains(nameservice.orElse(""))) {
      err.println(
          several.size() < 2
              ? "raidnode: the daemon of this configuration has one catalog: leave --nameservice out"
              : "raidnode: name one of the catalogs, with --nameservice: "
                  + String.join(", ", several));
      return ExitCode.USAGE.number();
    }
    Path folder = nameservice.map(process::resolve).orElse(process);
    try {
      new FolderOwner(folder).require();
      // Also one that waits for its NameNode, and has opened nothing yet.
      Optional<RunningProcess> running =
          Files.isDirectory(process) ? PidFile.look(process) : Optional.empty();
      if (running.isPresent()) {
        throw new DatabaseException(
            "The catalog in %s is in use by process %d, a daemon: stop that one first"
                .formatted(folder, running.get().pid()));
      }
      work.on(new ClosedCatalog(folder, clock));
      return ExitCode.OK.number();
    } catch (DatabaseException e) {
      err.println("raidnode: " + e.getMessage());
    } catch (AccessDeniedException e) {
      err.printf(
          "raidnode: user %s may not write %s%n", System.getProperty("user.name"), e.getFile());
    } catch (IOException e) {
      err.println("raidnode: " + Failures.words(e));
    }
    return ExitCode.TROUBLE.number();
  }

  @Command(
      name = "check",
      description =
          "Reads all of the catalog, compares all checksums, and says what it holds. Exit code 75: it is damaged, or a daemon has it open.")
  int check() throws SettingsException {
    return attempt(
        catalog -> {
          Content content = catalog.check();
          out.printf("%s is whole: %s%n", catalog.folder(), size(catalog.bytes()));
          say(content);
        });
  }

  private void say(Content content) {
    out.printf(Locale.ROOT, "%,15d  files and directories in the index%n", content.files());
    new TreeMap<>(content.entries())
        .forEach((table, entries) -> out.printf(Locale.ROOT, "%,15d  %s%n", entries, table));
  }

  private static String size(long bytes) {
    return String.format(Locale.ROOT, "%.1f MiB", (double) bytes / (1 << 20));
  }

  @Command(
      name = "backup",
      description =
          "Copies the catalog into a new folder, and reads the copy. Stop the daemon first: it may be stopped at any time.")
  int backup(@Parameters(paramLabel = "FOLDER", description = "Is made; must not exist.") Path to)
      throws SettingsException {
    return attempt(
        catalog -> {
          Content content;
          try (CopyBar bar = new CopyBar(err, catalog.bytes())) {
            content = catalog.copyTo(to, bar::copied);
          }
          out.printf("%s is a copy of %s, and whole%n", to, catalog.folder());
          say(content);
        });
  }

  @Command(
      name = "restore",
      description = {
        "Puts a copy of backup in the place of the catalog, which is set aside. Without --yes, only says what it would do.",
        "The next daemon compares all of HDFS with it before it does anything else."
      })
  int restore(
      @Option(names = "--yes", description = "Does it.") boolean yes,
      @Parameters(paramLabel = "FOLDER", description = "What backup has made.") Path from)
      throws SettingsException {
    return attempt(
        catalog -> {
          ClosedCatalog backup = new ClosedCatalog(from, clock);
          Content content = backup.check();
          if (!yes) {
            out.printf(
                "It would put a copy of %s in the place of %s. Say --yes to do it.%n",
                backup.folder(), catalog.folder());
            say(content);
            return;
          }
          try (CopyBar bar = new CopyBar(err, backup.bytes())) {
            catalog.restoreFrom(backup, bar::copied).ifPresent(this::sayAside);
          }
          out.printf("%s is a copy of %s%n", catalog.folder(), backup.folder());
        });
  }

  private void sayAside(Path aside) {
    out.printf("What was there is in %s now. Delete it when all is well.%n", aside);
  }

  @Command(
      name = "rebuild",
      description = {
        "Sets the catalog aside, so that the next daemon makes a new one from HDFS. Without --yes, only says what it would do.",
        "Pauses and withdrawals hold: they are kept on HDFS, too."
      })
  int rebuild(@Option(names = "--yes", description = "Does it.") boolean yes)
      throws SettingsException {
    return attempt(
        catalog -> {
          if (!yes) {
            out.printf(
                "It would set %s (%s) aside. The next daemon reads the namespace and all manifests again; the history, the tasks and the counts of accesses begin anew. Say --yes to do it.%n",
                catalog.folder(), size(catalog.bytes()));
            return;
          }
          sayAside(catalog.setAside());
          out.println("The next start of the daemon makes a new catalog from HDFS.");
        });
  }
}
