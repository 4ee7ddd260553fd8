package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.PlacementReport;
import io.hdfsraid.raidapi.RaidNodeClient;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "placement",
    description = {
      "How the units of stripes are spread over nodes and racks.",
      "Exit code 3: units of one stripe share a node, or a stripe crowds a rack."
    })
final class PlacementCommand extends RestCommand<PlacementReport> {
  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      defaultValue = "/",
      converter = HdfsPath.class,
      description = "A file or directory. Default: ${DEFAULT-VALUE}")
  private String path;

  @Mixin private PagingOptions paging;

  @Override
  PlacementReport ask(RaidNodeClient client) throws IOException {
    return client.placement(path, paging.paging());
  }

  @Override
  void show(PlacementReport report, Screen screen) {
    if (!report.stripes().isEmpty()) {
      screen.table(
          List.of("MOST ON A NODE", "MOST IN A RACK", "BEARS A RACK", "STRIPE", "PATH"),
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
  ExitCode exitCode(PlacementReport report) {
    return report.summary().clean() ? ExitCode.OK : ExitCode.FINDINGS;
  }
}
