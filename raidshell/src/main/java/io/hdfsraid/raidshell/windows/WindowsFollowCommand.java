// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.windows;

import io.hdfsraid.raidapi.windows.WindowsRequest.Mode;
import java.time.Duration;
import picocli.CommandLine.Command;

@Command(
    name = "follow",
    description = {
      "Ends an override: policies act by their windows and blackouts again.",
      "Shows the change; --yes carries it out."
    })
public final class WindowsFollowCommand extends WindowsChangeCommand {
  @Override
  protected Mode mode() {
    return Mode.FOLLOW;
  }

  @Override
  protected Duration time() {
    return Duration.ZERO;
  }
}
