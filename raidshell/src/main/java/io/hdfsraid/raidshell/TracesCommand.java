package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.TracesReport;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
    name = "traces",
    description = {
      "What there is of HDFS-RAID on the cluster, asked of HDFS now.",
      "Exit code 3: there is something."
    })
final class TracesCommand extends RestCommand<TracesReport> {
  @Override
  TracesReport ask(RaidNodeClient client) throws IOException {
    return client.traces();
  }

  @Override
  void show(TracesReport traces, Screen screen) {
    screen.line("Policies: " + traces.policies());
    if (traces.nothing()) {
      screen.line(
          "Nothing is left: there is no %s at %s, and no file is known to be under parity."
              .formatted(traces.root(), Screen.time(traces.checked())));
      return;
    }
    screen.table(
        List.of("WHAT", "HOW MANY"),
        List.of(
            List.of("files under parity", Long.toString(traces.filesUnderParity())),
            List.of("parity files in service", Long.toString(traces.committed())),
            List.of("parity files in quarantine", Long.toString(traces.quarantined())),
            List.of("drafts", Long.toString(traces.drafts())),
            List.of("entries that are not ours", Long.toString(traces.foreignEntries())),
            List.of("root " + traces.root(), traces.rootExists() ? "1" : "0")));
    traces.foreign().forEach(path -> screen.line("Not ours, and left alone: " + path));
    traces.waiting().forEach(why -> screen.line("Waits: " + why));
  }

  @Override
  ExitCode exitCode(TracesReport traces) {
    return traces.nothing() ? ExitCode.OK : ExitCode.FINDINGS;
  }
}
