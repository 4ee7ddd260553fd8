// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.policies;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.policies.PoliciesReport;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
    name = "policies",
    description = "Lists the policies in force, in the order in which they are asked.")
public final class PoliciesCommand extends RestCommand<PoliciesReport> {
  @Override
  protected PoliciesReport ask(RaidNodeClient client) throws IOException {
    return client.policies();
  }

  @Override
  protected void show(PoliciesReport policies, Screen screen) {
    screen.table(
        List.of(
            "POLICY",
            "PATHS",
            "EXCEPT",
            "WHEN",
            "ACTION",
            "COLD AFTER",
            "MIN AGE",
            "MIN SIZE",
            "CODEC",
            "REPLICATION",
            "SCHEDULE",
            "NEXT RUN"),
        policies.policies().stream().map(PoliciesCommand::row).toList());
    screen.blank();
    policies.policies().stream()
        .filter(policy -> policy.capacity().isPresent())
        .forEach(
            policy ->
                screen.line(
                    "%s acts %s".formatted(policy.name(), policy.capacity().orElseThrow())));
    policies.policies().stream()
        .filter(policy -> !policy.windows().equals("always"))
        .forEach(
            policy -> screen.line("%s acts within %s".formatted(policy.name(), policy.windows())));
    List<String> others =
        policies.excludes().stream()
            .filter(exclude -> !policies.builtInExcludes().contains(exclude))
            .toList();
    screen.line("Excluded from all: " + (others.isEmpty() ? "-" : String.join(" ", others)));
    screen.line("Excluded, built in: " + String.join(" ", policies.builtInExcludes()));
    screen.line(
        "Raiding must save %d %% of a file's bytes on disk."
            .formatted(policies.minSavingPercent()));
  }

  private static List<String> row(PoliciesReport.PolicyView policy) {
    return List.of(
        policy.name(),
        String.join(" ", policy.paths()),
        policy.excludes().isEmpty() ? "-" : String.join(" ", policy.excludes()),
        policy.when().isEmpty() ? "-" : String.join(", ", policy.when()),
        policy.action(),
        Screen.duration(policy.coldAfter()),
        Screen.duration(policy.minAge()),
        Screen.bytes(policy.minSize()),
        policy.codec().isEmpty() ? "-" : policy.codec(),
        policy.codec().isEmpty()
            ? "-"
            : "%d, parity %d".formatted(policy.targetReplication(), policy.parityReplication()),
        policy.schedule().orElse("every scan"),
        Screen.time(policy.nextRun()));
  }
}
