// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.windows;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.windows.WindowsReport;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(
    name = "windows",
    description = {
      "Shows when policies may act: by their windows and blackouts, or by an operator's override.",
      "Repairs always act."
    },
    subcommands = {WindowsOverrideCommand.class, WindowsFollowCommand.class})
public final class WindowsCommand extends WindowsScreen {
  @Override
  protected WindowsReport ask(RaidNodeClient client) throws IOException {
    return client.windows();
  }
}
