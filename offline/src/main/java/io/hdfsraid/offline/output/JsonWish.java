package io.hdfsraid.offline.output;

import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Whether the answer is wanted as JSON: the option is of the shell, and may stand before. */
public final class JsonWish {
  private JsonWish() {}

  /** What was said on the command line of this command, or of those above it. */
  public static boolean of(CommandSpec command) {
    return Stream.iterate(command.commandLine(), CommandLine::getParent)
        .takeWhile(each -> each != null)
        .anyMatch(each -> each.getParseResult().hasMatchedOption("--json"));
  }
}
