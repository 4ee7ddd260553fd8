// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.nodes;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.nodes.NodesReport;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
    name = "nodes",
    description = {
      "Lists the DataNodes: their load, what they hold of raided files, and how scrubs go. Nodes"
          + " with a problem come first.",
      "RAIDED and PARITY are bytes, as the last placement audit counted them. BAD is the number of"
          + " replicas that were read and found rotten.",
      "Scrubs have asked the node for the checksum of each of its replicas since ASKED, and have"
          + " read each of them since READ. HEARD is its last heartbeat."
    })
public final class NodesCommand extends RestCommand<NodesReport> {
  private static final List<String> HEADING =
      List.of(
          "STATE", "USED", "FREE", "RAIDED", "PARITY", "BAD", "ASKED", "READ", "HEARD", "RACK",
          "NODE", "HOST");

  @Override
  protected NodesReport ask(RaidNodeClient client) throws IOException {
    return client.nodes();
  }

  @Override
  protected void show(NodesReport report, Screen screen) {
    screen.table(HEADING, report.nodes().stream().map(NodesCommand::row).toList());
    screen.line(
        report
            .parityCountedAt()
            .map(at -> "Raided bytes were counted at %s.".formatted(Screen.time(at)))
            .orElse("No placement audit has counted raided bytes yet."));
  }

  private static List<String> row(NodesReport.Node node) {
    return List.of(
        node.state().name(),
        Screen.bytes(node.usedBytes()),
        Screen.bytes(node.remainingBytes()),
        Screen.bytes(node.raidedBytes()),
        Screen.bytes(node.parityBytes()),
        Long.toString(node.badReplicas()),
        Screen.time(node.oldestAsked()),
        Screen.time(node.oldestRead()),
        Screen.time(node.lastHeard()),
        node.rack(),
        node.node(),
        node.host());
  }
}
