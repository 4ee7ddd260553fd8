// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.policies;

import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.files.FileSummary;
import io.hdfsraid.raidapi.policies.FileExplanation;
import io.hdfsraid.raidshell.command.HdfsPathConverter;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.plan.PlanCommand;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "explain", description = "Explains why a file is, or is not, raided.")
public final class ExplainCommand extends RestCommand<FileExplanation> {
  /** A name of {@code Reason}, which the shell does not have. */
  private static final String INSUFFICIENT_HISTORY = "INSUFFICIENT_HISTORY";

  @Parameters(paramLabel = "PATH", converter = HdfsPathConverter.class, description = "A file.")
  private String path;

  @Override
  protected FileExplanation ask(RaidNodeClient client) throws IOException {
    return client.explain(path);
  }

  @Override
  protected void show(FileExplanation explanation, Screen screen) {
    FileSummary file = explanation.file();
    screen.line(
        "%s (inode %d): %s%s"
            .formatted(
                file.path(),
                file.inode(),
                file.state(),
                file.since().map(since -> " since " + Screen.time(since)).orElse("")));
    file.clientPath().ifPresent(shown -> screen.line("Clients of the router find it at " + shown));
    screen.line(
        "%s in %d blocks, replication %d, changed %s, last access %s"
            .formatted(
                Screen.bytes(file.length()),
                file.blocks(),
                file.replication(),
                Screen.time(file.modified()),
                Screen.time(file.lastAccess())));
    screen.line(
        "On disk: %s%s"
            .formatted(
                Screen.bytes(explanation.bytesBefore()),
                explanation
                    .bytesAfter()
                    .map(after -> ", raided: " + Screen.bytes(after))
                    .orElse("")));
    screen.line(use(explanation.use()));
    file.group()
        .ifPresent(
            group ->
                screen.line(
                    "Shares its parity with other files of its directory: group %s; the share of this file is %s"
                        .formatted(group, Screen.bytes(file.parityBytes()))));
    screen.line(
        "Verdict: %s: %s"
            .formatted(
                explanation.raid() ? "RAID" : explanation.reason().orElse("LEAVE"),
                explanation.sentence()));
    if (explanation.raid() && file.state() == FileState.LEFT) {
      screen.line(
          "Raiding has left it alone: %s: %s"
              .formatted(Screen.orDash(file.reason()), file.detail()));
    }
    if (explanation.reason().filter(INSUFFICIENT_HISTORY::equals).isPresent()) {
      screen.line(
          "If HDFS has recorded access times for longer (dfs.namenode.accesstime.precision was not 0), set recency.atimeSince in raidnode.yml to when that began, and restart the daemon");
    }
    explanation
        .changesAt()
        .ifPresent(at -> screen.line("This changes by itself at " + Screen.time(at)));
    explanation.acting().ifPresent(acting -> screen.line(acting(acting)));
    explanation.reheating().ifPresent(reheating -> screen.line(reheating(reheating)));
    screen.blank();
    screen.table(
        List.of("POLICY", "APPLIES", "WHY"),
        explanation.asked().stream()
            .map(asked -> List.of(asked.policy(), asked.applies() ? "yes" : "no", asked.why()))
            .toList());
    List<List<String>> conditions =
        explanation.asked().stream().flatMap(ExplainCommand::conditions).toList();
    if (!conditions.isEmpty()) {
      screen.blank();
      screen.table(List.of("POLICY", "CONDITION", "WANTED", "HOLDS", "FOUND", "UNTIL"), conditions);
    }
    screen.blank();
    screen.table(
        List.of("ACCESS SOURCE", "TRACKING SINCE", "HEARD UNTIL", "PROBLEM"),
        explanation.sources().stream()
            .map(
                source ->
                    List.of(
                        source.name(),
                        Screen.time(source.trackingSince()),
                        Screen.time(source.lastHeard()),
                        source.problem().isEmpty() ? "-" : source.problem()))
            .toList());
  }

  private static String acting(FileExplanation.Acting acting) {
    return "Policy "
        + PlanCommand.window(acting.policy(), acting.window())
        + acting.nextRun().map(at -> "; looks for files next at " + Screen.time(at)).orElse("")
        + acting.space().map(now -> ". " + now).orElse("");
  }

  private static String reheating(FileExplanation.Reheating rule) {
    return "Reheating by %s: %s of %d accesses within %s since it was raided; stays raided until %s at least%s"
        .formatted(
            rule.policy(),
            rule.counted()
                .map(times -> String.format(Locale.ROOT, "about %.1f", times))
                .orElse("no source counts accesses, so none"),
            rule.accesses(),
            Screen.duration(rule.within()),
            Screen.time(rule.residentUntil()),
            rule.coolUntil()
                .map(
                    until ->
                        ", and until " + Screen.time(until) + " because it was reheated before")
                .orElse(""));
  }

  private static String use(FileExplanation.Use use) {
    return "Last used %s%s; accesses in 30 days: %s; storage policy: %s; snapshots: %s"
        .formatted(
            Screen.time(use.last()),
            use.saidBy().isEmpty() ? "" : ", by " + use.saidBy(),
            use.accessesIn30Days()
                .map(times -> String.format(Locale.ROOT, "about %.1f", times))
                .orElse("none counted"),
            use.storagePolicy().orElse("not known"),
            use.snapshotReplication()
                .map("one keeps %d replicas"::formatted)
                .orElseGet(
                    () ->
                        use.belowSnapshots()
                            .map(below -> below ? "of a directory above it" : "none")
                            .orElse("not known")));
  }

  private static Stream<List<String>> conditions(FileExplanation.Asked asked) {
    return asked.conditions().stream()
        .map(
            condition ->
                List.of(
                    asked.policy(),
                    condition.key(),
                    condition.wanted(),
                    condition.answer().toLowerCase(Locale.ROOT),
                    condition.detail(),
                    condition.changesAt().map(Screen::time).orElse("-")));
  }
}
