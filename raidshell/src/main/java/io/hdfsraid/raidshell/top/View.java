// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.top;

import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.nodes.NodesReport;
import io.hdfsraid.raidapi.repairs.QueuedRepair;
import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidapi.status.TransferredBytes;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.TaskScreen;
import io.hdfsraid.raidshell.status.StatusCommand;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the daemon does at one moment, the most urgent first.
 *
 * @param before an earlier status, to compute rates from
 * @param nodes empty while the NameNode does not answer
 */
record View(
    Optional<Status> before,
    Status status,
    Page<TaskReport> runningTasks,
    Page<QueuedRepair> repairs,
    Optional<NodesReport> nodes) {

  void show(Screen screen) {
    screen.line(
        "%s  RaidNode %s for %s, up %s"
            .formatted(
                Screen.time(status.now()),
                status.version(),
                status.nameservice(),
                Screen.duration(Duration.between(status.startedAt(), status.now()))));
    StatusCommand.showProblems(status.problems(), screen);
    screen.line("DataNodes: " + nodes.map(View::nodesByState).orElse("not known now"));
    screen.line(
        "Raiding: "
            + (status.files().isEmpty() ? "no files yet" : StatusCommand.counts(status.files())));
    showRunning(screen);
    StatusCommand.showWork(status, screen);
    showRates(screen);
    showUrgency(screen);
    showRepairs(screen);
  }

  private void showRunning(Screen screen) {
    String jobs =
        status.jobs().stream()
            .filter(Status.JobTimes::running)
            .map(job -> job.name() + " since " + Screen.time(job.lastStart()))
            .collect(Collectors.joining(", "));
    if (!jobs.isEmpty()) {
      screen.line("Jobs: " + jobs);
    }
    runningTasks.items().forEach(task -> TaskScreen.show(task, screen));
  }

  private static String nodesByState(NodesReport nodes) {
    Map<NodesReport.State, Long> byState =
        nodes.nodes().stream()
            .collect(
                Collectors.groupingBy(
                    NodesReport.Node::state, TreeMap::new, Collectors.counting()));
    long used = nodes.nodes().stream().mapToLong(NodesReport.Node::usedBytes).sum();
    long free = nodes.nodes().stream().mapToLong(NodesReport.Node::remainingBytes).sum();
    return "%s; %s used, %s free"
        .formatted(StatusCommand.counts(byState), Screen.bytes(used), Screen.bytes(free));
  }

  private void showRates(Screen screen) {
    if (status.transfers().isEmpty()) {
      return;
    }
    screen.blank();
    screen.table(
        List.of("TRANSFERRED", "HOW", "A SECOND", "SINCE THE START"),
        status.transfers().stream()
            .map(
                each ->
                    List.of(
                        each.purpose(),
                        each.direction(),
                        rate(each).map(Screen::bytes).orElse("-"),
                        Screen.bytes(sum(each))))
            .toList());
  }

  /** Empty at first, and if the daemon has started anew. */
  private Optional<Long> rate(TransferredBytes now) {
    return before
        .filter(earlier -> earlier.startedAt().equals(status.startedAt()))
        .filter(earlier -> earlier.now().isBefore(status.now()))
        .map(
            earlier ->
                (sum(now) - bytesThen(earlier, now))
                    * 1000
                    / Math.max(1, Duration.between(earlier.now(), status.now()).toMillis()));
  }

  private static long bytesThen(Status earlier, TransferredBytes now) {
    return earlier.transfers().stream()
        .filter(
            then ->
                then.purpose().equals(now.purpose()) && then.direction().equals(now.direction()))
        .mapToLong(View::sum)
        .sum();
  }

  private static long sum(TransferredBytes bytes) {
    return bytes.sameNode() + bytes.sameRack() + bytes.offRack() + bytes.rackUnknown();
  }

  private void showUrgency(Screen screen) {
    if (repairs.items().isEmpty()) {
      return;
    }
    Map<Integer, Map<QueuedRepair.State, Long>> byUrgency =
        repairs.items().stream()
            .collect(
                Collectors.groupingBy(
                    QueuedRepair::furtherLosses,
                    TreeMap::new,
                    Collectors.groupingBy(
                        QueuedRepair::state, TreeMap::new, Collectors.counting())));
    screen.blank();
    screen.table(
        List.of("TOLERATES", "STRIPES"),
        byUrgency.entrySet().stream()
            .map(
                each ->
                    List.of(Integer.toString(each.getKey()), StatusCommand.counts(each.getValue())))
            .toList());
    if (repairs.next().isPresent()) {
      screen.line("These are the %d most urgent.".formatted(repairs.items().size()));
    }
  }

  private void showRepairs(Screen screen) {
    if (repairs.items().isEmpty()) {
      return;
    }
    screen.blank();
    screen.table(
        List.of("STATE", "LOST", "TOLERATES", "FOR", "READ", "STRIPE", "PATH"),
        repairs.items().stream()
            .sorted(Comparator.comparing(repair -> repair.state() != QueuedRepair.State.RUNNING))
            .map(this::row)
            .toList());
  }

  private List<String> row(QueuedRepair repair) {
    return List.of(
        repair.state().name(),
        repair.lost().toString(),
        Integer.toString(repair.furtherLosses()),
        Screen.duration(Duration.between(repair.since(), status.now())),
        Screen.bytes(repair.bytesRead()),
        repair.id().toString(),
        repair.path());
  }
}
