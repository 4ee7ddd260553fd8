package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.Paging;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Which part of a long list. */
final class PagingOptions {
  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "" + Paging.DEFAULT_LIMIT,
      description =
          "At most so many entries, up to " + Paging.MAX_LIMIT + ". Default: ${DEFAULT-VALUE}")
  private int limit;

  @Option(
      names = "--cursor",
      paramLabel = "CURSOR",
      description = "Go on where an earlier answer ended.")
  private String cursor;

  Paging paging() {
    try {
      return new Paging(limit, Optional.ofNullable(cursor));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  static void showNext(Optional<String> next, Screen screen) {
    next.ifPresent(cursor -> screen.line("There is more: --cursor " + cursor));
  }
}
