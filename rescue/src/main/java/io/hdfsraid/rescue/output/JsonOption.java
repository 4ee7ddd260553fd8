// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.output;

import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Reads the shell's option {@code --json}, which may stand before or after the command. */
public final class JsonOption {
  private JsonOption() {}

  /** Returns whether the command line of this command, or of a parent, has the option. */
  public static boolean of(CommandSpec command) {
    return Stream.iterate(command.commandLine(), CommandLine::getParent)
        .takeWhile(each -> each != null)
        .anyMatch(each -> each.getParseResult().hasMatchedOption("--json"));
  }
}
