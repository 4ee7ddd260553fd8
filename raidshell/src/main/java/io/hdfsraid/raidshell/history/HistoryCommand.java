// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.history;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidapi.history.HistoryQuery;
import io.hdfsraid.raidshell.command.HdfsPathConverter;
import io.hdfsraid.raidshell.command.PagingOptions;
import io.hdfsraid.raidshell.command.PathParameter;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.TimeOptions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

@Command(
    name = "history",
    description = {
      "Lists what was done, by whom and why; newest first.",
      "docs/shell.md lists the events."
    })
public final class HistoryCommand extends RestCommand<Page<HistoryEntry>> {
  @Mixin private PathParameter path;

  @Option(
      names = "--path",
      paramLabel = "PATH",
      converter = HdfsPathConverter.class,
      description = "The same as PATH.")
  private String pathOption;

  @Mixin private TimeOptions time;

  @Option(
      names = "--by",
      paramLabel = "NAME",
      description = "Only what this user, policy or job has started.")
  private String by;

  @Option(
      names = "--event",
      paramLabel = "EVENT",
      split = ",",
      description = "Only these events, such as raided or repaired; several with commas.")
  private Set<String> events = Set.of();

  @Mixin private PagingOptions paging;

  @Override
  protected Page<HistoryEntry> ask(RaidNodeClient client) throws IOException {
    if (pathOption != null && !path.path().equals("/")) {
      throw new ParameterException(
          spec().commandLine(), "Give the path once: as PATH, or with --path");
    }
    return client.history(
        new HistoryQuery(
            pathOption == null ? path.path() : pathOption,
            time.since(),
            time.until(),
            Optional.ofNullable(by),
            events),
        paging.paging());
  }

  @Override
  protected void show(Page<HistoryEntry> history, Screen screen) {
    if (history.items().isEmpty() && history.next().isEmpty()) {
      screen.line("There is no history.");
      return;
    }
    screen.table(
        List.of("WHEN", "WHAT", "RESULT", "BY", "READ", "WRITTEN", "PATH", "DETAIL"),
        history.items().stream().map(HistoryCommand::row).toList());
    PagingOptions.showNext(history.next(), screen);
  }

  private static List<String> row(HistoryEntry entry) {
    return List.of(
        Screen.time(entry.at()),
        entry.event(),
        entry.succeeded() ? "ok" : "failed",
        entry.by(),
        Screen.bytes(entry.bytesRead()),
        Screen.bytes(entry.bytesWritten()),
        entry.path(),
        details(entry));
  }

  private static String details(HistoryEntry entry) {
    StringBuilder details = new StringBuilder(entry.detail());
    if (!entry.before().equals(entry.after())) {
      details.append(" (").append(entry.before()).append(" -> ").append(entry.after()).append(")");
    }
    if (!entry.reason().isEmpty()) {
      details.append("; reason: ").append(entry.reason());
    }
    return details.toString();
  }
}
