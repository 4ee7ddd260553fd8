// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.mode;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.mode.FootprintReport;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
    name = "footprint",
    description = {
      "Shows what HDFS-RAID occupies on the cluster, as HDFS lists it now.",
      "Exit code 3: something is left."
    })
public final class FootprintCommand extends RestCommand<FootprintReport> {
  @Override
  protected FootprintReport ask(RaidNodeClient client) throws IOException {
    return client.footprint();
  }

  @Override
  protected void show(FootprintReport footprint, Screen screen) {
    screen.line("Policies: " + footprint.policies());
    if (footprint.nothing()) {
      screen.line(
          "Nothing is left: there is no %s at %s, and no file is known to be under parity."
              .formatted(footprint.root(), Screen.time(footprint.checked())));
      return;
    }
    screen.table(
        List.of("WHAT", "HOW MANY"),
        List.of(
            List.of("files under parity", Long.toString(footprint.filesUnderParity())),
            List.of("parity files in service", Long.toString(footprint.committed())),
            List.of("parity files in quarantine", Long.toString(footprint.quarantined())),
            List.of("drafts", Long.toString(footprint.drafts())),
            List.of("entries of others", Long.toString(footprint.foreignEntries())),
            List.of("root " + footprint.root(), footprint.rootExists() ? "1" : "0")));
    footprint
        .foreign()
        .forEach(path -> screen.line("Does not belong to HDFS-RAID and stays: " + path));
    footprint.waiting().forEach(why -> screen.line("Waits: " + why));
  }

  @Override
  protected ExitCode exitCode(FootprintReport footprint) {
    return footprint.nothing() ? ExitCode.OK : ExitCode.FINDINGS;
  }
}
