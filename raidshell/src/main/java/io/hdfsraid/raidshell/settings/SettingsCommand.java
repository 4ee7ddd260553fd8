// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.settings;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.settings.SettingsReport;
import io.hdfsraid.raidapi.settings.SettingsRequest;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.YesOption;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "settings",
    description = {
      "Shows how hard the RaidNode works: workers, bytes per second, streams, calls of the"
          + " NameNode.",
      "With KEY=VALUE, changes settings until the next start. Shows the change; --yes carries it"
          + " out."
    })
public final class SettingsCommand extends RestCommand<SettingsReport> {
  @Parameters(
      arity = "0..*",
      paramLabel = "KEY=VALUE",
      description = "A setting as in raidnode.yml, e.g. raiding.bytesPerSecond=50MB")
  private final Map<String, String> wanted = new LinkedHashMap<>();

  @Mixin private YesOption yes;

  @Override
  protected String reason() {
    return yes.reason();
  }

  @Override
  protected SettingsReport ask(RaidNodeClient client) throws IOException {
    return wanted.isEmpty()
        ? client.settings()
        : client.change(new SettingsRequest(wanted, yes.dryRun()));
  }

  @Override
  protected void show(SettingsReport view, Screen screen) {
    if (wanted.isEmpty()) {
      showAll(view, screen);
    } else {
      showChanges(view, screen);
    }
  }

  private static void showAll(SettingsReport view, Screen screen) {
    screen.table(
        List.of("SETTING", "NOW", "AT START", "WHAT IT LIMITS"),
        view.settings().stream()
            .map(
                setting ->
                    List.of(setting.key(), setting.value(), setting.configured(), setting.what()))
            .toList());
  }

  private static void showChanges(SettingsReport view, Screen screen) {
    if (view.changes().isEmpty()) {
      screen.line("The settings have these values already; there is nothing to do.");
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
            ? "Changed, until the next start of the RaidNode. To keep it, write it into"
                + " raidnode.yml."
            : "Nothing was changed. To carry it out, add --yes.");
  }
}
