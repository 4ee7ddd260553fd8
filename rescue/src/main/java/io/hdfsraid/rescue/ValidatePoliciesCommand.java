// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue;

import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.policies.PoliciesValidation;
import io.hdfsraid.raidnode.config.SettingsException;
import io.hdfsraid.raidnode.config.SettingsFiles;
import io.hdfsraid.raidnode.rest.policies.PoliciesValidator;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.rescue.output.JsonOption;
import io.hdfsraid.rescue.output.LibraryLogging;
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

/**
 * The command {@code raidshell policies validate}: reads a {@code policies.yml} as the daemon does.
 */
@Command(
    name = "validate",
    description = {
      "Lists all errors of a policies.yml. Needs no RaidNode.",
      "Exit code 3: the RaidNode would refuse the file. 2: the file does not exist or cannot be"
          + " read. Warnings do not change the exit code."
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
    LibraryLogging.hush();
    try {
      show(
          SettingsFiles.checkPolicies(
              file, Clock.system(ZoneId.systemDefault()), ZoneId.systemDefault()));
      return ExitCode.OK.number();
    } catch (SettingsException e) {
      if (JsonOption.of(spec)) {
        print(PoliciesValidator.refused(e));
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
    if (JsonOption.of(spec)) {
      print(PoliciesValidator.fine(policies));
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    policies.warnings().forEach(warning -> out.println("Warning: " + warning));
    out.printf("%s is valid; policies: %d%n", file, policies.policies().inOrder().size());
    out.flush();
  }

  private void print(PoliciesValidation check) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.println(ApiJson.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(check));
    out.flush();
  }
}
