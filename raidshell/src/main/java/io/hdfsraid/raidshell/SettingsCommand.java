package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.SettingsRequest;
import io.hdfsraid.raidapi.SettingsView;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "settings",
    description = {
      "How hard the RaidNode works: workers, bytes per second, streams, calls of the NameNode.",
      "With settings, changes them until its next start: shows the change; --yes carries it out."
    })
final class SettingsCommand extends RestCommand<SettingsView> {
  @Parameters(
      arity = "0..*",
      paramLabel = "KEY=VALUE",
      description = "A setting as in raidnode.yml, e.g. raiding.bytesPerSecond=50MB")
  private final Map<String, String> wanted = new LinkedHashMap<>();

  @Option(names = "--yes", description = "Carry it out. Without this the change is only shown.")
  private boolean yes;

  @Override
  SettingsView ask(RaidNodeClient client) throws IOException {
    return wanted.isEmpty() ? client.settings() : client.change(new SettingsRequest(wanted, !yes));
  }

  @Override
  void show(SettingsView view, Screen screen) {
    if (wanted.isEmpty()) {
      showAll(view, screen);
    } else {
      showChanges(view, screen);
    }
  }

  private static void showAll(SettingsView view, Screen screen) {
    screen.table(
        List.of("SETTING", "NOW", "AT START", "WHAT IT BOUNDS"),
        view.settings().stream()
            .map(
                setting ->
                    List.of(setting.key(), setting.value(), setting.configured(), setting.what()))
            .toList());
  }

  private static void showChanges(SettingsView view, Screen screen) {
    if (view.changes().isEmpty()) {
      screen.line("They are so already; there is nothing to do.");
      return;
    }
    screen.table(
        List.of("SETTING", "FROM", "TO"),
        view.changes().stream()
            .map(change -> List.of(change.key(), change.from(), change.to()))
            .toList());
    screen.blank();
    screen.line(
        view.changed()
            ? "Changed, until the next start of the RaidNode. To keep it, write it into raidnode.yml."
            : "Nothing was changed. To carry it out, add --yes.");
  }
}
