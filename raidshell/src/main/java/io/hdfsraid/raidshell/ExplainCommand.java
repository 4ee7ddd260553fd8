package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.Explanation;
import io.hdfsraid.raidapi.FileView;
import io.hdfsraid.raidapi.RaidNodeClient;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "explain", description = "Why a file is, or is not, raided.")
final class ExplainCommand extends RestCommand<Explanation> {
  @Parameters(paramLabel = "PATH", converter = HdfsPath.class, description = "A file.")
  private String path;

  @Override
  Explanation ask(RaidNodeClient client) throws IOException {
    return client.explain(path);
  }

  @Override
  void show(Explanation explanation, Screen screen) {
    FileView file = explanation.file();
    screen.line(
        "%s (inode %d): %s%s"
            .formatted(
                file.path(),
                file.inode(),
                file.state(),
                file.since().map(since -> " since " + Screen.time(since)).orElse("")));
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
                    "Shares its parity with others of its directory: group %s; %s of it are this file's"
                        .formatted(group, Screen.bytes(file.parityBytes()))));
    screen.line(
        "Verdict: %s: %s"
            .formatted(
                explanation.raid() ? "RAID" : explanation.reason().orElse("LEAVE"),
                explanation.sentence()));
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

  private static String acting(Explanation.Acting acting) {
    return "Policy "
        + OutlookCommand.hours(acting.policy(), acting.hours())
        + acting.nextRun().map(at -> "; looks for files next at " + Screen.time(at)).orElse("")
        + acting.space().map(now -> ". " + now).orElse("");
  }

  private static String reheating(Explanation.Reheating rule) {
    return "Reheating by %s: %s of %d accesses within %s since it was raided; stays raided until %s at least%s"
        .formatted(
            rule.policy(),
            rule.counted()
                .map(times -> String.format(Locale.ROOT, "about %.1f", times))
                .orElse("nothing counts accesses, so none"),
            rule.accesses(),
            Screen.duration(rule.within()),
            Screen.time(rule.residentUntil()),
            rule.coolUntil()
                .map(until -> ", and until " + Screen.time(until) + " for having been reheated")
                .orElse(""));
  }

  private static String use(Explanation.Use use) {
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

  private static Stream<List<String>> conditions(Explanation.Asked asked) {
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
