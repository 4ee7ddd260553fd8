package io.hdfsraid.raidshell.history;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.history.HistoryEntry;
import io.hdfsraid.raidshell.command.PagingOptions;
import io.hdfsraid.raidshell.command.PathParameter;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "history", description = "Lists what was done, by whom and why; newest first.")
public final class HistoryCommand extends RestCommand<Page<HistoryEntry>> {
  @Mixin private PathParameter path;

  @Mixin private PagingOptions paging;

  @Override
  protected Page<HistoryEntry> ask(RaidNodeClient client) throws IOException {
    return client.history(path.path(), paging.paging());
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
        entry.detail());
  }
}
