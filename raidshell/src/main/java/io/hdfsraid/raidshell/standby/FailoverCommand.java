// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.standby;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.standby.FailoverReport;
import io.hdfsraid.raidapi.standby.FailoverRequest;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.YesOption;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "failover",
    description = {
      "Has the active daemon end its work, and leave it to one that stands by.",
      "It stands by itself afterwards, and takes its work up again if no other daemon does."
    })
public final class FailoverCommand extends RestCommand<FailoverReport> {
  @Option(
      names = "--to",
      paramLabel = "HOST",
      description = "Host name of the machine whose daemon is to take over. Default: any.")
  private Optional<String> to = Optional.empty();

  @Mixin private YesOption yes;

  @Override
  protected String reason() {
    return yes.reason();
  }

  @Override
  protected FailoverReport ask(RaidNodeClient client) throws IOException {
    return client.failover(new FailoverRequest(to, yes.dryRun()));
  }

  @Override
  protected void show(FailoverReport answer, Screen screen) {
    String other =
        answer
            .to()
            .map("the daemon on %s, if one stands by there"::formatted)
            .orElse("a daemon that stands by, if there is one");
    screen.line(
        answer.begun()
            ? "%s ends its work and leaves it to %s.".formatted(answer.holder(), other)
            : "%s would end its work and leave it to %s.".formatted(answer.holder(), other));
    screen.line(
        "If that one has not begun within %d s, any other does."
            .formatted(answer.reservedSeconds()));
    if (!answer.begun()) {
      screen.line("Nothing was changed. To carry it out, add --yes.");
    }
  }
}
