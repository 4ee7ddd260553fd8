package io.hdfsraid.raidshell;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.raidapi.ApiJson;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.RepairView;
import io.hdfsraid.raidapi.Status;
import io.hdfsraid.raidapi.StripeId;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Prints what changes in the repair queue, a line for each change, so that it can be read on a
 * terminal as well as in a file. For programs: the queue as one line of JSON whenever it is
 * another.
 */
final class RepairsWatch {
  private static final ObjectMapper JSON = ApiJson.mapper();

  private final RaidNodeClient client;
  private final Paging paging;
  private final PrintWriter out;
  private final Screen screen;
  private final boolean json;
  private final Map<StripeId, RepairView> shown = new LinkedHashMap<>();
  private String counted = "";

  RepairsWatch(RaidNodeClient client, Paging paging, PrintWriter out, boolean json) {
    this.client = client;
    this.paging = paging;
    this.out = out;
    this.screen = new Screen(out);
    this.json = json;
  }

  /** Ends by an interrupt, or when there is nothing to wait for and that was asked for. */
  ExitCode watch(int seconds, boolean untilEmpty) throws IOException {
    while (true) {
      // The counts first: what is repaired between the two answers is still counted.
      Status status = client.status();
      Page<RepairView> page = client.repairs(paging);
      if (json) {
        showJson(page);
      } else {
        show(status, page);
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

  private void showJson(Page<RepairView> page) throws IOException {
    String line = JSON.writeValueAsString(page);
    if (!line.equals(counted)) {
      out.println(line);
      out.flush();
      counted = line;
    }
  }

  private void show(Status status, Page<RepairView> page) {
    Instant now = status.now();
    Map<StripeId, RepairView> before = new LinkedHashMap<>(shown);
    shown.clear();
    for (RepairView repair : page.items()) {
      shown.put(repair.id(), repair);
      RepairView known = before.remove(repair.id());
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

  private void line(Instant now, String what, RepairView repair, String words) {
    screen.line(
        "%s  %-13s  %s of %s: %s"
            .formatted(Screen.time(now), what, repair.id(), repair.path(), words));
  }

  private static String words(RepairView repair) {
    StringBuilder words =
        new StringBuilder("lost %s, can bear %d more".formatted(repair.lost(), repair.canBear()));
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
