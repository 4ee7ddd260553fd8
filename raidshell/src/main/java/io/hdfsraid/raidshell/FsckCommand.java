package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.FileHealth;
import io.hdfsraid.raidapi.FsckReport;
import io.hdfsraid.raidapi.HealthState;
import io.hdfsraid.raidapi.RaidNodeClient;
import io.hdfsraid.raidapi.StripeHealth;
import io.hdfsraid.raidapi.UnitView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "fsck",
    description = {
      "The health of raided files: what is lost, and how much more each stripe can bear.",
      "Exit code 3: units are lost, all can be rebuilt; 4: some cannot; 5: some files could not be"
          + " checked."
    })
final class FsckCommand extends RestCommand<FsckReport> {
  @Parameters(
      arity = "0..1",
      paramLabel = "PATH",
      defaultValue = "/",
      converter = HdfsPath.class,
      description = "A file or directory. Default: ${DEFAULT-VALUE}")
  private String path;

  @Mixin private PagingOptions paging;

  @Option(
      names = "--offline",
      description =
          "Without a RaidNode. It only reads, so it takes no ownership, and a RaidNode may run"
              + " meanwhile; it sees what this user may see.")
  private boolean offline;

  @Override
  FsckReport ask(RaidShell shell) throws IOException {
    return offline ? shell.withoutRaidNode().fsck(path, paging.paging()) : ask(shell.client());
  }

  @Override
  FsckReport ask(RaidNodeClient client) throws IOException {
    return client.fsck(path, paging.paging());
  }

  @Override
  void show(FsckReport report, Screen screen) {
    for (FileHealth file : report.files()) {
      screen.line("%s (inode %d): %s".formatted(file.path(), file.inode(), wording(file)));
      if (!file.details().isEmpty()) {
        screen.table(
            List.of("  STRIPE", "STATE", "UNITS", "LOST", "CAN BEAR", "WHERE"),
            file.details().stream().map(FsckCommand::row).toList());
      }
    }
    PagingOptions.showNext(report.next(), screen);
    if (!report.byHealth().isEmpty()) {
      screen.table(
          List.of("STATE", "CAN BEAR", "FILES", "STRIPES", "FOR EXAMPLE"),
          report.byHealth().stream().map(FsckCommand::row).toList());
    }
    FsckReport.Summary summary = report.summary();
    screen.line(
        "%d raided files below %s at %s: %d healthy, %d degraded, %d unrecoverable, %d unknown"
            .formatted(
                summary.files(),
                report.path(),
                Screen.time(report.checked()),
                summary.healthy(),
                summary.degraded(),
                summary.unrecoverable(),
                summary.unknown()));
    if (summary.unreadableBytes() > 0) {
      screen.line("Data that cannot be rebuilt: " + Screen.bytes(summary.unreadableBytes()));
    }
    if (!report.note().isEmpty()) {
      screen.line(report.note());
    }
    screen.line("Status: " + summary.worst());
  }

  private static String wording(FileHealth file) {
    return switch (file.state()) {
      case HEALTHY ->
          "healthy, all %d stripes are whole, %s".formatted(file.stripes(), canBear(file));
      case DEGRADED ->
          "degraded in %d of %d stripes, %s"
              .formatted(file.notHealthy(), file.stripes(), canBear(file));
      case UNRECOVERABLE ->
          "UNRECOVERABLE, %s of %s cannot be rebuilt"
              .formatted(Screen.bytes(file.unreadableBytes()), Screen.bytes(file.length()));
      case UNKNOWN -> "unknown" + (file.problem().isEmpty() ? "" : ", " + file.problem());
    };
  }

  private static String canBear(FileHealth file) {
    return "%s can bear %d more".formatted(file.codec(), file.canBear());
  }

  private static List<String> row(FsckReport.Health health) {
    return List.of(
        health.state().name(),
        health.canBear() < 0 ? "-" : Integer.toString(health.canBear()),
        Long.toString(health.files()),
        Long.toString(health.stripes()),
        String.join(" ", health.samples()));
  }

  private static List<String> row(StripeHealth stripe) {
    return List.of(
        "  " + stripe.stripe(),
        stripe.state().name(),
        stripe.dataUnits() + "+" + stripe.parityUnits(),
        "%d of %d %s"
            .formatted(
                stripe.lost().size(), stripe.dataUnits() + stripe.parityUnits(), stripe.lost()),
        stripe.state() == HealthState.UNRECOVERABLE ? "-" : Integer.toString(stripe.canBear()),
        where(stripe));
  }

  private static String where(StripeHealth stripe) {
    List<String> words = new ArrayList<>();
    for (UnitView unit : stripe.units()) {
      words.add(
          unit.unit()
              + ":"
              + (unit.state() == UnitView.State.LIVE
                  ? unit.node().orElse("?")
                  : unit.state().name()));
    }
    return String.join(" ", words);
  }

  @Override
  ExitCode exitCode(FsckReport report) {
    return switch (report.summary().worst()) {
      case HEALTHY -> ExitCode.OK;
      case DEGRADED -> ExitCode.FINDINGS;
      case UNRECOVERABLE -> ExitCode.UNRECOVERABLE;
      case UNKNOWN -> ExitCode.PARTIAL;
    };
  }
}
