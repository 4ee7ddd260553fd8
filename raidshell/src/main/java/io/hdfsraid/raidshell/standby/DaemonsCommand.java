// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.standby;

import com.fasterxml.jackson.databind.ObjectWriter;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.client.RaidNodeClient;
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
      "EPOCH counts take-overs. INDEX is the transaction up to which a daemon that stands by knows"
          + " the edit log, and how long ago that was the whole log.",
      "Exit code 0: one daemon is active, and each other one stands by without a problem. 2: none"
          + " has answered. 3: there is a problem, or not exactly one is active."
    })
public final class DaemonsCommand implements Callable<Integer> {
  private static final ObjectWriter JSON = ApiJson.mapper().writerWithDefaultPrettyPrinter();
  private static final List<String> HEADING =
      List.of("URL", "ROLE", "PROCESS", "SINCE", "EPOCH", "INDEX", "PROBLEM");

  @Spec private CommandSpec spec;

  /** Asks one daemon how it is. */
  @FunctionalInterface
  private interface Question {
    DaemonReport ask() throws IOException;
  }

  @Override
  public Integer call() throws IOException {
    ShellOptions shell = (ShellOptions) spec.root().userObject();
    AskedDaemons all = ask(shell);
    if (shell.json()) {
      spec.commandLine().getOut().println(JSON.writeValueAsString(all));
    } else {
      show(all, Screen.of(spec));
    }
    return all.exitCode().number();
  }

  /** Asks all daemons, but none if one of the addresses is wrong. */
  private static AskedDaemons ask(ShellOptions shell) throws IOException {
    List<URI> urls = shell.urls();
    List<Question> questions = new ArrayList<>();
    for (URI url : urls) {
      questions.add(question(shell, url));
    }
    List<AskedDaemon> asked = new ArrayList<>();
    for (int i = 0; i < urls.size(); i++) {
      String url = urls.get(i).toString();
      try {
        asked.add(AskedDaemon.answering(url, questions.get(i).ask()));
      } catch (RaidNodeException e) {
        asked.add(AskedDaemon.failing(url, e.getMessage()));
      }
    }
    return new AskedDaemons(asked);
  }

  /** Returns a question that fails if there is nothing to prove to this daemon who asks. */
  private static Question question(ShellOptions shell, URI url) throws IOException {
    try {
      RaidNodeClient client = shell.probe(url);
      return client::daemon;
    } catch (RaidNodeException e) {
      return () -> {
        throw e;
      };
    }
  }

  private static void show(AskedDaemons all, Screen screen) {
    screen.table(HEADING, all.daemons().stream().map(DaemonsCommand::row).toList());
    screen.blank();
    screen.line(
        "%d active, %d standing by, %d without an answer"
            .formatted(all.active(), all.standingBy(), all.silent()));
    if (all.active() > 1) {
      screen.line(
          "If they work on the same cluster, only the one with the highest epoch changes anything.");
    }
    if (all.active() == 0) {
      all.daemons().stream()
          .filter(asked -> asked.problem().isEmpty())
          .forEach(asked -> asked.daemon().ifPresent(daemon -> showWhy(daemon, screen)));
    }
  }

  /** Shows why a daemon does not take over. */
  private static void showWhy(DaemonReport daemon, Screen screen) {
    daemon
        .standby()
        .ifPresent(standby -> screen.line("%s: %s".formatted(daemon.process(), standby.reason())));
  }

  private static List<String> row(AskedDaemon asked) {
    Optional<DaemonReport> daemon = asked.daemon();
    return List.of(
        asked.url(),
        Screen.orDash(daemon.map(DaemonReport::role)),
        Screen.orDash(daemon.map(DaemonReport::process)),
        Screen.time(daemon.map(DaemonReport::since)),
        Screen.orDash(daemon.flatMap(DaemonReport::epoch)),
        Screen.orDash(daemon.flatMap(DaemonReport::standby).map(DaemonsCommand::index)),
        asked.problem().isEmpty() ? "-" : asked.problem());
  }

  private static String index(DaemonReport.Standby standby) {
    return standby.index().map(DaemonsCommand::words).orElse("not followed");
  }

  private static String words(DaemonReport.Index index) {
    String at = index.transaction().map("at %d"::formatted).orElse("no image yet");
    return at
        + index.behind().map(behind -> ", %s behind".formatted(Screen.duration(behind))).orElse("");
  }
}
