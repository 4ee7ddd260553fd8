// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.savings;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.savings.SavingsReport;
import io.hdfsraid.raidshell.command.PathParameter;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "savings",
    description =
        "Shows what raiding saves, expected and actual, and which files are skipped and why.")
public final class SavingsCommand extends RestCommand<SavingsReport> {
  private static final List<String> HEADING =
      List.of("", "FILES", "DATA", "BEFORE", "EXPECTED", "SAVES", "ACTUAL", "SAVED", "SEEN");

  @Mixin private PathParameter path;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Show rows for this many levels of directories below PATH. Default:"
              + " ${DEFAULT-VALUE}")
  private int depth;

  @Option(
      names = "--complete",
      description =
          "Ask HDFS for the blocks of every file under parity, not of a sample of 1000: one call"
              + " for each.")
  private boolean complete;

  @Override
  protected SavingsReport ask(RaidNodeClient client) throws IOException {
    return client.savings(path.path(), depth, complete);
  }

  @Override
  protected void show(SavingsReport report, Screen screen) {
    List<List<String>> rows = new ArrayList<>();
    report.policies().forEach(row -> rows.add(row("policy " + row.name(), row)));
    report.codecs().forEach(row -> rows.add(row("codec " + row.name(), row)));
    report.directories().forEach(row -> rows.add(row(row.name(), row)));
    rows.add(row("total", report.total()));
    screen.table(HEADING, rows);
    screen.blank();
    SavingsReport.Measured measured = report.measured();
    screen.line(
        "Actual: from the replicas that the NameNode lists, those of snapshots included, of %s %d files under parity."
            .formatted(measured.complete() ? "all" : measured.files() + " of", measured.ofFiles()));
    if (measured.excessFiles() > 0) {
      screen.line(
          "%d of these files occupy more than expected: a snapshot holds them, or HDFS has not deleted excess replicas yet."
              .formatted(measured.excessFiles()));
    }
    if (!report.skipped().isEmpty()) {
      screen.blank();
      screen.table(
          List.of("NOT UNDER PARITY", "FILES", "DATA", "ON DISK"),
          report.skipped().stream().map(skipped -> row(skipped.reason(), skipped)).toList());
      screen.line(
          "Small files, for which stripes of their own would not save space: %d with %s."
              .formatted(
                  report.smallFiles().files(), Screen.bytes(report.smallFiles().logicalBytes())));
    }
  }

  private static List<String> row(String name, SavingsReport.Row row) {
    boolean seen = row.sampledFiles() > 0;
    return List.of(
        name,
        Long.toString(row.files()),
        Screen.bytes(row.logicalBytes()),
        Screen.bytes(row.beforeBytes()),
        Screen.bytes(row.expectedBytes()),
        Screen.bytes(row.expectedSaving()),
        seen ? Screen.bytes(row.actualBytes()) : "-",
        seen ? Screen.bytes(row.actualSaving()) : "-",
        Long.toString(row.sampledFiles()));
  }

  private static List<String> row(String name, SavingsReport.Skipped skipped) {
    return List.of(
        name,
        Long.toString(skipped.files()),
        Screen.bytes(skipped.logicalBytes()),
        Screen.bytes(skipped.physicalBytes()));
  }
}
