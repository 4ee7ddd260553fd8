package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.SavingsReport;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "savings",
    description = "What raiding saves, expected and realised, and what it leaves and why.")
final class SavingsCommand extends RestCommand<SavingsReport> {
  private static final List<String> HEADING =
      List.of("", "FILES", "DATA", "BEFORE", "EXPECTED", "SAVES", "REALISED", "SAVED", "SEEN");

  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      defaultValue = "/",
      converter = HdfsPath.class,
      description = "A file or directory. Default: ${DEFAULT-VALUE}")
  private String path;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "So many levels of directories below PATH get a row of their own. Default: ${DEFAULT-VALUE}")
  private int depth;

  @Option(
      names = "--complete",
      description =
          "Ask HDFS for the blocks of every file under parity, not of a sample of 1000: one call"
              + " for each.")
  private boolean complete;

  @Override
  SavingsReport ask(RaidNodeClient client) throws IOException {
    return client.savings(path, depth, complete);
  }

  @Override
  void show(SavingsReport report, Screen screen) {
    List<List<String>> rows = new ArrayList<>();
    report.policies().forEach(row -> rows.add(row("policy " + row.name(), row)));
    report.codecs().forEach(row -> rows.add(row("codec " + row.name(), row)));
    report.directories().forEach(row -> rows.add(row(row.name(), row)));
    rows.add(row("total", report.total()));
    screen.table(HEADING, rows);
    screen.blank();
    SavingsReport.Realised realised = report.realised();
    screen.line(
        "Realised: from the replicas the NameNode lists, those of snapshots included, of %s %d files under parity."
            .formatted(realised.complete() ? "all" : realised.files() + " of", realised.ofFiles()));
    if (realised.excessFiles() > 0) {
      screen.line(
          "%d of these occupy more than expected: in a snapshot, or with replicas that HDFS has yet to drop."
              .formatted(realised.excessFiles()));
    }
    if (!report.left().isEmpty()) {
      screen.blank();
      screen.table(
          List.of("NOT UNDER PARITY", "FILES", "DATA", "ON DISK"),
          report.left().stream().map(left -> row(left.reason(), left)).toList());
      screen.line(
          "Small files, which stripes of their own would not pay for: %d with %s."
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
        seen ? Screen.bytes(row.realisedBytes()) : "-",
        seen ? Screen.bytes(row.realisedSaving()) : "-",
        Long.toString(row.sampledFiles()));
  }

  private static List<String> row(String name, SavingsReport.Left left) {
    return List.of(
        name,
        Long.toString(left.files()),
        Screen.bytes(left.logicalBytes()),
        Screen.bytes(left.physicalBytes()));
  }
}
