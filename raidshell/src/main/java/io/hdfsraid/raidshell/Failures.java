// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.raidshell.command.ShellOptions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns an exception into a line on stderr and an exit code. */
final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private final ShellOptions shell;

  Failures(ShellOptions shell) {
    this.shell = shell;
  }

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    complain(err, problem(e), "See '" + command.getCommandSpec().qualifiedName() + " --help'.");
    UnmatchedArgumentException.printSuggestions(e, err);
    return ExitCode.USAGE.number();
  }

  private static String problem(ParameterException e) {
    boolean atCommand = e.getCommandLine().getParent() == null;
    return atCommand
            && e instanceof UnmatchedArgumentException unmatched
            && !unmatched.isUnknownOption()
        ? "There is no command '%s'".formatted(unmatched.getUnmatched().get(0))
        : e.getMessage();
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    ExitCode code = report(e, err);
    if (shell.verbose()) {
      e.printStackTrace(err);
    }
    err.flush();
    return code.number();
  }

  private static ExitCode report(Exception e, PrintWriter err) {
    if (e instanceof RaidNodeException refusal) {
      complain(err, refusal.getMessage(), refusal.hint());
      return exitCode(refusal.code());
    }
    if (e instanceof ShellException failure) {
      complain(err, failure.getMessage(), failure.hint());
      return failure.exitCode();
    }
    if (e instanceof InterruptedIOException) {
      complain(err, e.getMessage(), "");
      return ExitCode.IO;
    }
    if (e instanceof IOException) {
      complain(err, sentence(e), "");
      return ExitCode.IO;
    }
    complain(err, "A bug of raidshell: " + e, "Please report it with the output of --verbose.");
    return ExitCode.IO;
  }

  /** Returns the first line: those of a NameNode are followed by its stack trace. */
  private static String sentence(Exception e) {
    String first = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    // Some messages are only the path that the class of the exception says something about.
    return first.contains(" ") ? first : e.getClass().getSimpleName() + ": " + first;
  }

  private static ExitCode exitCode(ErrorCode code) {
    return switch (code) {
      case BAD_REQUEST -> ExitCode.USAGE;
      case REFUSED -> ExitCode.REFUSED;
      case UNAUTHORIZED,
          FORBIDDEN,
          NOT_FOUND,
          NOT_READY,
          IO,
          INTERNAL,
          UNREACHABLE,
          NOT_A_RAIDNODE,
          NO_TOKEN,
          UNKNOWN ->
          ExitCode.IO;
    };
  }

  private static void complain(PrintWriter err, String message, String hint) {
    boolean closed = message.matches("(?s).*[.?!]");
    String line = hint.isEmpty() ? message : message + (closed ? " " : ". ") + hint;
    err.println("raidshell: " + Screen.printable(line));
  }
}
