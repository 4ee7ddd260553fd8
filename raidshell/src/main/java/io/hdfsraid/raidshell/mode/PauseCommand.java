// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.mode;

import io.hdfsraid.raidapi.ChangePreview;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.mode.PauseRequest;
import io.hdfsraid.raidshell.command.ChangeCommand;
import java.io.IOException;
import picocli.CommandLine.Command;

@Command(
    name = "pause",
    description = {
      "Stops policies from raiding until 'resume'. Repairs go on.",
      "Shows the change; --yes carries it out."
    })
public final class PauseCommand extends ChangeCommand {
  @Override
  protected ChangePreview ask(RaidNodeClient client) throws IOException {
    return client.pause(new PauseRequest(true, dryRun()));
  }
}
