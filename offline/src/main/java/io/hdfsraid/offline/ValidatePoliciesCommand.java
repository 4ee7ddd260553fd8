package io.hdfsraid.offline;

import io.hdfsraid.offline.output.JsonWish;
import io.hdfsraid.offline.output.QuietLibraries;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.PoliciesCheck;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.view.DraftedPolicies;
import io.hdfsraid.raidshell.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
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
    description = {
      "Says all that is wrong with a policies.yml. Needs no RaidNode.",
      "Exit code 3: the file would be refused; 2: it is not there, or cannot be read. Warnings do"
          + " not count."
    })
final class ValidatePoliciesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      defaultValue = "${sys:hdfsraid.conf:-conf}/policies.yml",
      description = "Default: policies.yml of the installation.")
  private Path file;

  @Override
  public Integer call() throws IOException {
    QuietLibraries.hush();
    try {
      show(
          SettingsFiles.checkPolicies(
              file, Clock.system(ZoneId.systemDefault()), ZoneId.systemDefault()));
      return ExitCode.OK.number();
    } catch (SettingsException e) {
      if (JsonWish.of(spec)) {
        print(DraftedPolicies.refused(e));
      } else {
        PrintWriter err = spec.commandLine().getErr();
        err.println(e.getMessage());
        err.flush();
      }
      boolean read = Files.isRegularFile(file) && Files.isReadable(file);
      return (read ? ExitCode.FINDINGS : ExitCode.IO).number();
    }
  }

  private void show(SettingsFiles.CheckedPolicies policies) throws IOException {
    if (JsonWish.of(spec)) {
      print(DraftedPolicies.fine(policies));
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    policies.warnings().forEach(warning -> out.println("Warning: " + warning));
    out.printf("%s is valid; policies: %d%n", file, policies.policies().inOrder().size());
    out.flush();
  }

  private void print(PoliciesCheck check) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.println(ApiJson.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(check));
    out.flush();
  }
}
