// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode;

import io.hdfsraid.raidnode.config.Settings;
import io.hdfsraid.raidnode.config.SettingsException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Commands under one word that work on what a configuration names, without a daemon. */
abstract class CommandGroup implements Callable<Integer> {
  private final SettingsReader reader;
  protected final Clock clock;
  protected final PrintStream out;
  protected final PrintStream err;

  @Spec private CommandSpec spec;

  @Option(
      names = "--conf",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description = "raidnode.yml, which names the files to work on. Default: that of conf.")
  private Optional<Path> conf;

  /** Reads the settings. */
  @FunctionalInterface
  interface SettingsReader {
    Settings read(Optional<Path> file) throws SettingsException;
  }

  CommandGroup(SettingsReader reader, Clock clock, PrintStream out, PrintStream err) {
    this.reader = reader;
    this.clock = clock;
    this.out = out;
    this.err = err;
  }

  /** Without a command. */
  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "Which command?");
  }

  /** Returns the settings of the file that the command line names, or of the usual one. */
  protected Settings settings() throws SettingsException {
    return reader.read(conf);
  }
}
