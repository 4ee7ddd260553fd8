package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.HistoryEntry;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.RaidNodeClient;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "history", description = "What was done, by whom and why; newest first.")
final class HistoryCommand extends RestCommand<Page<HistoryEntry>> {
  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      defaultValue = "/",
      converter = HdfsPath.class,
      description = "A file or directory. Default: ${DEFAULT-VALUE}")
  private String path;

  @Mixin private PagingOptions paging;

  @Override
  Page<HistoryEntry> ask(RaidNodeClient client) throws IOException {
    return client.history(path, paging.paging());
  }

  @Override
  void show(Page<HistoryEntry> history, Screen screen) {
    if (history.items().isEmpty() && history.next().isEmpty()) {
      screen.line("Nothing is written down.");
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
