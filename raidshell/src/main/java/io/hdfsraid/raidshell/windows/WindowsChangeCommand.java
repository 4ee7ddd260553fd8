// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.windows;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.windows.WindowsReport;
import io.hdfsraid.raidapi.windows.WindowsRequest;
import io.hdfsraid.raidapi.windows.WindowsRequest.Mode;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.YesOption;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** A command that overrides when policies may act. */
public abstract class WindowsChangeCommand extends WindowsScreen {
  @Mixin private YesOption yes;

  @Override
  protected final String reason() {
    return yes.reason();
  }

  abstract Mode mode();

  abstract Duration time();

  @Override
  protected final WindowsReport ask(RaidNodeClient client) throws IOException {
    WindowsRequest request;
    try {
      request = new WindowsRequest(mode(), time(), yes.dryRun());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec().commandLine(), e.getMessage(), e);
    }
    return client.windows(request);
  }

  @Override
  protected final void show(WindowsReport view, Screen screen) {
    super.show(view, screen);
    screen.blank();
    screen.line(
        view.changed()
            ? "Changed. The change survives a restart of the RaidNode."
            : "Nothing was changed. To carry it out, add --yes.");
  }
}
