// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.standby;

import static io.hdfsraid.raidapi.standby.DaemonReport.Role.ACTIVE;
import static io.hdfsraid.raidapi.standby.DaemonReport.Role.STANDBY;
import static io.hdfsraid.raidapi.standby.DaemonReport.Role.WAITING;

import com.fasterxml.jackson.databind.ObjectWriter;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidapi.standby.DaemonReport;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellOptions;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "daemons",
    description = {
      "Asks the daemon at each address of --url whether it is active or stands by, and how it is.",
      "EPOCH is how often a daemon has become active so far. INDEX is, for a daemon that stands by,"
          + " the last transaction of the edit log that its index has, and how long ago the index"
          + " was up to date.",
      "Exit code 0: one daemon is active, the others stand by, and none has a problem. 2: none"
          + " has answered. 3: otherwise."
    })
public final class DaemonsCommand implements Callable<Integer> {
  private static final ObjectWriter JSON = ApiJson.mapper().writerWithDefaultPrettyPrinter();
  private static final List<String> HEADING =
      List.of("URL", "ROLE", "PROCESS", "VERSION", "SINCE", "EPOCH", "INDEX", "PROBLEM");

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    ShellOptions shell = (ShellOptions) spec.root().userObject();
    List<AskedDaemon> asked = new ArrayList<>();
    for (URI url : shell.urls()) {
      asked.add(ask(shell, url));
    }
    AskedDaemons all = new AskedDaemons(asked);
    if (shell.json()) {
      spec.commandLine().getOut().println(JSON.writeValueAsString(all));
    } else {
      show(all, Screen.of(spec));
    }
    return all.exitCode().number();
  }

  private static AskedDaemon ask(ShellOptions shell, URI url) throws IOException {
    try {
      return AskedDaemon.answering(url.toString(), shell.probe(url).daemon());
    } catch (RaidNodeException e) {
      return AskedDaemon.failing(url.toString(), e);
    }
  }

  private static void show(AskedDaemons all, Screen screen) {
    screen.table(HEADING, all.daemons().stream().map(DaemonsCommand::row).toList());
    screen.blank();
    long waiting = all.in(WAITING);
    screen.line(
        "%d active, %d standing by, %s%d without an answer"
            .formatted(
                all.in(ACTIVE),
                all.in(STANDBY),
                waiting == 0 ? "" : waiting + " waiting, ",
                all.silent()));
    if (all.in(ACTIVE) > 1) {
      screen.line(
          "If they work on the same cluster, only the one with the highest epoch changes anything.");
    }
    all.unaskedActive().forEach(screen::line);
    all.hints().forEach(screen::line);
  }

  private static List<String> row(AskedDaemon asked) {
    Optional<DaemonReport> daemon = asked.daemon();
    return List.of(
        asked.url(),
        Screen.orDash(daemon.map(DaemonReport::role)),
        Screen.orDash(daemon.map(DaemonReport::process)),
        Screen.orDash(daemon.map(DaemonReport::version).filter(version -> !version.isEmpty())),
        Screen.time(daemon.map(DaemonReport::since)),
        Screen.orDash(daemon.flatMap(DaemonReport::epoch)),
        Screen.orDash(daemon.flatMap(DaemonReport::standby).map(DaemonsCommand::index)),
        asked.problem().isEmpty() ? "-" : asked.problem());
  }

  private static String index(DaemonReport.Standby standby) {
    return standby.index().map(DaemonsCommand::words).orElse("not followed");
  }

  private static String words(DaemonReport.Index index) {
    String at = index.transaction().map("at %d"::formatted).orElse("not caught up");
    return at
        + index.behind().map(behind -> ", %s behind".formatted(Screen.duration(behind))).orElse("");
  }
}
