package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.RaidingOutlook;
import io.hdfsraid.raidapi.RaidingOutlook.Candidates;
import io.hdfsraid.raidapi.RaidingOutlook.PolicyOutlook;
import io.hdfsraid.raidapi.SavingsReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "plan",
    description = {
      "What the policies will do: files, bytes saved, objects of the NameNode, time; what they"
          + " leave, and why; whether they may act now.",
      "By the last count of all files: nothing is looked at anew, and nothing is done."
    })
final class OutlookCommand extends RestCommand<RaidingOutlook> {
  @Option(names = "--policy", paramLabel = "NAME", description = "One policy. Default: all")
  private String policy;

  @Override
  RaidingOutlook ask(RaidNodeClient client) throws IOException {
    return client.outlook(Optional.ofNullable(policy));
  }

  @Override
  void show(RaidingOutlook outlook, Screen screen) {
    screen.line(
        "Counted %s: %d files, those under parity included."
            .formatted(Screen.time(outlook.counted()), outlook.files()));
    screen.blank();
    List<List<String>> rows = new ArrayList<>();
    Candidates all = Candidates.NONE;
    for (PolicyOutlook each : outlook.policies()) {
      rows.add(row(each.policy(), each.candidates(), each.time().map(Screen::duration)));
      all = all.plus(each.candidates());
    }
    if (outlook.policies().size() > 1) {
      rows.add(row("total", all, Optional.empty()));
    }
    screen.table(
        List.of("TO RAID BY", "FILES", "DATA", "ON DISK", "THEN", "SAVES", "OBJECTS", "TIME"),
        rows);
    screen.line(
        outlook.bytesPerSecond() == 0
            ? "There is no bound on how fast files are raided, so no time can be told."
            : "Times are at %s/s, which raiding may read and write (raiding.bytesPerSecond)."
                .formatted(Screen.bytes(outlook.bytesPerSecond())));
    screen.blank();
    outlook.policies().forEach(each -> screen.line(hours(each)));
    if (!outlook.left().isEmpty()) {
      screen.blank();
      screen.table(
          List.of("LEFT BECAUSE", "FILES", "DATA", "ON DISK"),
          outlook.left().stream().map(OutlookCommand::row).toList());
      screen.line(
          "Left for being small: %d files with %s."
              .formatted(
                  outlook.smallFiles().files(), Screen.bytes(outlook.smallFiles().logicalBytes())));
    }
  }

  private static List<String> row(String name, Candidates files, Optional<String> time) {
    return List.of(
        name,
        Long.toString(files.files()),
        Screen.bytes(files.logicalBytes()),
        Screen.bytes(files.beforeBytes()),
        Screen.bytes(files.afterBytes()),
        Screen.bytes(files.saving()),
        Long.toString(files.objects()),
        Screen.orDash(time));
  }

  private static List<String> row(SavingsReport.Left left) {
    return List.of(
        left.reason(),
        Long.toString(left.files()),
        Screen.bytes(left.logicalBytes()),
        Screen.bytes(left.physicalBytes()));
  }

  private static String hours(PolicyOutlook each) {
    return hours(each.policy(), each.hours())
        + each.capacity().map(rule -> "; acts " + rule).orElse("")
        + each.space().map(now -> ". " + now).orElse("");
  }

  static String hours(String policy, RaidingOutlook.Hours hours) {
    return "%s %s%s: %s"
        .formatted(
            policy,
            hours.open() ? "may act now, at " + hours.percent() + " %" : "may not act now",
            hours.until().map(until -> ", until " + Screen.time(until)).orElse(""),
            hours.why());
  }
}
