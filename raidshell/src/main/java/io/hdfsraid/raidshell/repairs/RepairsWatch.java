// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.repairs;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.StripeId;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.repairs.QueuedRepair;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.status.StatusCommand;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Prints a line for each change of the repair queue, for terminals and files. With {@code --json},
 * prints the queue as one line of JSON after each change.
 */
public final class RepairsWatch {
  private static final ObjectMapper JSON = ApiJson.mapper();

  private final RaidNodeClient client;
  private final Paging paging;
  private final PrintWriter out;
  private final Screen screen;
  private final boolean json;
  private final Map<StripeId, QueuedRepair> shown = new LinkedHashMap<>();
  private String counted = "";

  RepairsWatch(RaidNodeClient client, Paging paging, CommandSpec command, boolean json) {
    this.client = client;
    this.paging = paging;
    this.out = command.commandLine().getOut();
    this.screen = Screen.of(command);
    this.json = json;
  }

  /**
   * Returns when the queue is empty, if this was requested, when nobody reads the output any more,
   * or when the thread is interrupted.
   */
  ExitCode watch(int seconds, boolean untilEmpty) throws IOException {
    while (true) {
      // Asks for the counts first, so that repairs between the two answers still count.
      Status status = client.status();
      Page<QueuedRepair> page = client.repairs(paging);
      if (json) {
        showJson(page);
      } else {
        show(status, page);
      }
      if (out.checkError()) {
        return ExitCode.OK;
      }
      Status.Repairs counts = status.repairs();
      if (untilEmpty && counts.waiting() + counts.running() + counts.postponed() == 0) {
        return counts.unrecoverable() > 0
            ? ExitCode.UNRECOVERABLE
            : counts.parked() > 0 ? ExitCode.PARTIAL : ExitCode.OK;
      }
      sleep(seconds);
    }
  }

  private void showJson(Page<QueuedRepair> page) throws IOException {
    String line = JSON.writeValueAsString(page);
    if (!line.equals(counted)) {
      out.println(line);
      out.flush();
      counted = line;
    }
  }

  private void show(Status status, Page<QueuedRepair> page) {
    Instant now = status.now();
    Map<StripeId, QueuedRepair> before = new LinkedHashMap<>(shown);
    shown.clear();
    for (QueuedRepair repair : page.items()) {
      shown.put(repair.id(), repair);
      QueuedRepair known = before.remove(repair.id());
      if (known == null || !known.equals(repair)) {
        line(now, repair.state().name(), repair, words(repair));
      }
    }
    if (page.next().isEmpty()) {
      // Of a longer queue it may only have moved behind what is shown.
      before.values().forEach(gone -> line(now, "ENDED", gone, "not in the queue any more"));
    }
    String counts = StatusCommand.sentence(status.repairs());
    if (!counts.equals(counted)) {
      screen.line("%s  %s".formatted(Screen.time(now), counts));
      counted = counts;
    }
  }

  private void line(Instant now, String what, QueuedRepair repair, String words) {
    screen.line(
        "%s  %-13s  %s of %s: %s"
            .formatted(Screen.time(now), what, repair.id(), repair.path(), words));
  }

  private static String words(QueuedRepair repair) {
    StringBuilder words =
        new StringBuilder(
            "lost %s, tolerates %d more".formatted(repair.lost(), repair.furtherLosses()));
    repair.nextAttempt().ifPresent(at -> words.append(", next at ").append(Screen.time(at)));
    if (!repair.reason().isEmpty()) {
      words.append(", ").append(repair.reason());
    }
    return words.toString();
  }

  private static void sleep(int seconds) throws InterruptedIOException {
    try {
      TimeUnit.SECONDS.sleep(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (InterruptedIOException)
          new InterruptedIOException("Interrupted while watching").initCause(e);
    }
  }
}
