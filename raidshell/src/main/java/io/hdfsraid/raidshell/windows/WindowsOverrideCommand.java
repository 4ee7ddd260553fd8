// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.windows;

import io.hdfsraid.raidapi.windows.WindowsRequest.Mode;
import io.hdfsraid.raidshell.command.DurationConverter;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "override",
    description = {
      "Lets policies act at full speed, or not at all, for some time, whatever their windows say.",
      "Shows the change; --yes carries it out."
    })
public final class WindowsOverrideCommand extends WindowsChangeCommand {
  @Option(
      names = "--for",
      paramLabel = "TIME",
      required = true,
      converter = DurationConverter.class,
      description = "Duration of the override, e.g. 30m, 12h or 2d; at most 7d.")
  private Duration time;

  @Option(names = "--closed", description = "Policies may not act at all.")
  private boolean closed;

  @Override
  protected Mode mode() {
    return closed ? Mode.CLOSED : Mode.OPEN;
  }

  @Override
  protected Duration time() {
    return time;
  }
}
