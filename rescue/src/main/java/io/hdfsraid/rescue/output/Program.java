// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.output;

import io.hdfsraid.raidshell.command.ShellException;
import java.io.PrintWriter;
import java.util.function.ToIntFunction;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ParameterException;

/**
 * Runs a picocli command as a program of its own. An error is one line on stderr and an exit code.
 *
 * @param wrongUsage the exit code for a wrong command line
 * @param exitCode the exit code for any other exception
 */
public record Program(int wrongUsage, ToIntFunction<Exception> exitCode) {

  /** Runs the command and returns its exit code. */
  public int run(Object command, PrintWriter out, PrintWriter err, String... args) {
    return new CommandLine(command)
        .setOut(out)
        .setErr(err)
        .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
        .setParameterExceptionHandler((e, arguments) -> wrongUsage(e))
        .setExecutionExceptionHandler((e, failed, parsed) -> failed(e, failed))
        .execute(args);
  }

  private int wrongUsage(ParameterException e) {
    complain(e.getCommandLine(), e.getMessage());
    return wrongUsage;
  }

  private int failed(Exception e, CommandLine command) {
    if (e instanceof ParameterException wrong) {
      return wrongUsage(wrong);
    }
    complain(
        command,
        e instanceof ShellException told
            ? (told.getMessage() + " " + told.hint()).strip()
            : e.toString());
    return exitCode.applyAsInt(e);
  }

  private static void complain(CommandLine command, String message) {
    command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + message);
    command.getErr().flush();
  }
}
