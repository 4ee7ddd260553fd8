// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.plan;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.plan.RaidingPlan;
import io.hdfsraid.raidapi.plan.RaidingPlan.Candidates;
import io.hdfsraid.raidapi.plan.RaidingPlan.PolicyPlan;
import io.hdfsraid.raidapi.savings.SavingsReport;
import io.hdfsraid.raidapi.windows.WindowStatus;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "plan",
    description = {
      "Shows what the policies have still to do: files, bytes saved, objects of the NameNode and time; which"
          + " files they skip, and why; and whether they may act now.",
      "Uses the last evaluation of all files. Evaluates nothing anew and changes nothing."
    })
public final class PlanCommand extends RestCommand<RaidingPlan> {
  @Option(names = "--policy", paramLabel = "NAME", description = "Show one policy. Default: all")
  private String policy;

  @Override
  protected RaidingPlan ask(RaidNodeClient client) throws IOException {
    return client.plan(Optional.ofNullable(policy));
  }

  @Override
  protected void show(RaidingPlan plan, Screen screen) {
    screen.line(
        "Counted %s: %d files, those under parity included."
            .formatted(Screen.time(plan.counted()), plan.files()));
    screen.blank();
    List<List<String>> rows = new ArrayList<>();
    Candidates all = Candidates.NONE;
    for (PolicyPlan each : plan.policies()) {
      rows.add(row(each.policy(), each.candidates(), each.time().map(Screen::duration)));
      all = all.plus(each.candidates());
    }
    if (plan.policies().size() > 1) {
      rows.add(row("total", all, Optional.empty()));
    }
    screen.table(
        List.of("TO RAID BY", "FILES", "DATA", "ON DISK", "THEN", "SAVES", "OBJECTS", "TIME"),
        rows);
    long taken = plan.policies().stream().mapToLong(each -> each.taken().files()).sum();
    if (taken > 0) {
      screen.line(
          "Not among them, because raiding has taken them up since: %d files with %s."
              .formatted(
                  taken,
                  Screen.bytes(
                      plan.policies().stream()
                          .mapToLong(each -> each.taken().logicalBytes())
                          .sum())));
    }
    boolean inContainers = plan.engine().equals("yarn");
    if (inContainers) {
      screen.line("Containers of YARN encode (raiding.engine: yarn).");
    }
    screen.line(
        plan.bytesPerSecond() == 0
            ? "The rate of raiding has no limit, so no time can be estimated."
            : "Times are for %s/s, the limit of %s."
                .formatted(
                    Screen.bytes(plan.bytesPerSecond()),
                    inContainers
                        ? "all containers (yarn.bytesPerSecond)"
                        : "raiding (raiding.bytesPerSecond)"));
    screen.blank();
    plan.policies().forEach(each -> screen.line(window(each)));
    if (!plan.skipped().isEmpty()) {
      screen.blank();
      screen.table(
          List.of("SKIPPED BECAUSE", "FILES", "DATA", "ON DISK"),
          plan.skipped().stream().map(PlanCommand::row).toList());
      screen.line(
          "Skipped because they are small: %d files with %s."
              .formatted(
                  plan.smallFiles().files(), Screen.bytes(plan.smallFiles().logicalBytes())));
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

  private static List<String> row(SavingsReport.Skipped skipped) {
    return List.of(
        skipped.reason(),
        Long.toString(skipped.files()),
        Screen.bytes(skipped.logicalBytes()),
        Screen.bytes(skipped.physicalBytes()));
  }

  private static String window(PolicyPlan each) {
    return window(each.policy(), each.window())
        + each.capacity().map(rule -> "; acts " + rule).orElse("")
        + each.space().map(now -> ". " + now).orElse("");
  }

  public static String window(String policy, WindowStatus window) {
    return "%s %s%s: %s"
        .formatted(
            policy,
            window.open() ? "may act now, at " + window.percent() + " %" : "may not act now",
            window.until().map(until -> ", until " + Screen.time(until)).orElse(""),
            window.why());
  }
}
