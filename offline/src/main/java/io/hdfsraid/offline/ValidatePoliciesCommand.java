package io.hdfsraid.offline;

import io.hdfsraid.offline.output.QuietLibraries;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidshell.ExitCode;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads a {@code policies.yml} as the daemon would. */
@Command(
    name = "validate",
    description = "Says all that is wrong with a policies.yml. Needs no RaidNode.")
final class ValidatePoliciesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      defaultValue = "${sys:hdfsraid.conf:-conf}/policies.yml",
      description = "Default: policies.yml of the installation.")
  private Path file;

  @Override
  public Integer call() {
    QuietLibraries.hush();
    SettingsFiles.CheckedPolicies policies;
    try {
      policies =
          SettingsFiles.checkPolicies(
              file, Clock.system(ZoneId.systemDefault()), ZoneId.systemDefault());
    } catch (SettingsException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println(e.getMessage());
      err.flush();
      return ExitCode.USAGE.number();
    }
    PrintWriter out = spec.commandLine().getOut();
    policies.warnings().forEach(warning -> out.println("Warning: " + warning));
    out.printf("%s is valid; policies: %d%n", file, policies.policies().inOrder().size());
    out.flush();
    return ExitCode.OK.number();
  }
}
