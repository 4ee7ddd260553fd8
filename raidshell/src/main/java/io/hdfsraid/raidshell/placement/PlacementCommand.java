// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.placement;

import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.placement.AuditProgress;
import io.hdfsraid.raidapi.placement.PlacementReport;
import io.hdfsraid.raidapi.placement.SkewReport;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.PagingOptions;
import io.hdfsraid.raidshell.command.PathParameter;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "placement",
    description = {
      "Shows how the units of stripes are spread over nodes and racks.",
      "Exit code 3: units of one stripe share a node, or a stripe crowds a rack."
    })
public final class PlacementCommand extends RestCommand<Record> {
  @Mixin private PathParameter path;

  @Mixin private PagingOptions paging;

  @Option(
      names = "--skew",
      description =
          "Show how evenly all bytes, not only those of raided files, are spread over the nodes")
  private boolean skew;

  @Override
  protected Record ask(RaidNodeClient client) throws IOException {
    return skew ? client.skew() : client.placement(path.path(), paging.paging());
  }

  @Override
  protected void show(Record answer, Screen screen) {
    if (answer instanceof PlacementReport report) {
      showPlacement(report, screen);
    } else if (answer instanceof SkewReport report) {
      showSkew(report, screen);
    }
  }

  private static void showSkew(SkewReport report, Screen screen) {
    screen.table(
        List.of("NODE", "RACK", "DATA", "PARITY", "USED", ""),
        report.nodes().stream()
            .map(
                node ->
                    List.of(
                        node.node(),
                        node.rack(),
                        Screen.bytes(node.dataBytes()),
                        Screen.bytes(node.parityBytes()),
                        percent(node.dataBytes() + node.parityBytes(), node.capacity()),
                        node.inService() ? "" : "leaving"))
            .toList());
    screen.blank();
    screen.line(
        String.format(
            Locale.ROOT,
            "Fullest node divided by the average: %.2f for data, %.2f for data and parity; %s",
            report.data(),
            report.total(),
            report
                .parityCountedAt()
                .map(at -> "parity was counted at " + Screen.time(at))
                .orElse(
                    "the parity is not counted yet: the placement audit counts it"
                        + " (schedule.placementAudit)")));
  }

  private static String percent(long part, long whole) {
    return whole == 0 ? "" : Math.round(100.0 * part / whole) + " %";
  }

  /** Returns the progress of an audit in one line. */
  public static String sentence(AuditProgress audit) {
    return String.format(
        Locale.ROOT,
        "Audit of all placements: %d of %d files%s; %d units moved; of %d stripes %d share a node,"
            + " %d crowd a rack, %d are stuck%s",
        audit.files(),
        audit.allFiles(),
        audit.ended().map(at -> ", ended at " + Screen.time(at)).orElseGet(() -> underWay(audit)),
        audit.movedUnits(),
        audit.stripes(),
        audit.sharingNode(),
        audit.crowdingRack(),
        audit.stuck(),
        audit.failedFiles() == 0 ? "" : "; %d files failed".formatted(audit.failedFiles()));
  }

  private static String underWay(AuditProgress audit) {
    return String.format(
        Locale.ROOT,
        " (%s) at %.0f files/s, to end at %s",
        percent(audit.files(), audit.allFiles()),
        audit.filesPerSecond(),
        Screen.time(audit.estimatedEnd()));
  }

  private static void showPlacement(PlacementReport report, Screen screen) {
    if (!report.stripes().isEmpty()) {
      screen.table(
          List.of("MOST ON A NODE", "MOST IN A RACK", "SURVIVES RACK", "STRIPE", "PATH"),
          report.stripes().stream()
              .map(
                  stripe ->
                      List.of(
                          Integer.toString(stripe.worstNodeUnits()),
                          Integer.toString(stripe.worstRackUnits()),
                          stripe.survivesRackLoss() ? "yes" : "no",
                          Integer.toString(stripe.stripe()),
                          stripe.path()))
              .toList());
      PagingOptions.showNext(report.next(), screen);
      screen.blank();
    }
    screen.table(
        List.of("NODE", "RACK", "DATA UNITS", "PARITY UNITS"),
        report.nodes().stream()
            .map(
                node ->
                    List.of(
                        node.node(),
                        node.rack(),
                        Long.toString(node.dataUnits()),
                        Long.toString(node.parityUnits())))
            .toList());
    screen.blank();
    report.audit().ifPresent(audit -> screen.line(sentence(audit)));
    PlacementReport.Summary summary = report.summary();
    screen.line(
        "%d stripes below %s at %s: %d share a node, %d crowd a rack, %d not audited yet"
            .formatted(
                summary.stripes(),
                report.path(),
                Screen.time(report.checked()),
                summary.sharingNode(),
                summary.crowdingRack(),
                summary.unaudited()));
  }

  @Override
  protected ExitCode exitCode(Record answer) {
    return answer instanceof PlacementReport report && !report.summary().clean()
        ? ExitCode.FINDINGS
        : ExitCode.OK;
  }
}
