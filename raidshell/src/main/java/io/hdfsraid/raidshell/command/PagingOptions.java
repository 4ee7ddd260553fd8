// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import io.hdfsraid.raidapi.Paging;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options that select a page of a long list. */
public final class PagingOptions {
  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "" + Paging.DEFAULT_LIMIT,
      description =
          "Show at most this many entries, up to "
              + Paging.MAX_LIMIT
              + ". Default: ${DEFAULT-VALUE}")
  private int limit;

  @Option(
      names = "--cursor",
      paramLabel = "CURSOR",
      description = "Continue where an earlier answer ended.")
  private String cursor;

  public Paging paging() {
    try {
      return new Paging(limit, Optional.ofNullable(cursor));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  public static void showNext(Optional<String> next, Screen screen) {
    next.ifPresent(cursor -> screen.line("There is more: --cursor " + cursor));
  }
}
