// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.health;

import io.hdfsraid.raidapi.ErrorCode;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.client.RaidNodeClient;
import io.hdfsraid.raidapi.client.RaidNodeException;
import io.hdfsraid.raidapi.health.FileHealth;
import io.hdfsraid.raidapi.health.FsckReport;
import io.hdfsraid.raidapi.health.FsckRequest;
import io.hdfsraid.raidapi.health.HealthState;
import io.hdfsraid.raidapi.health.StripeReport;
import io.hdfsraid.raidapi.health.UnitReport;
import io.hdfsraid.raidapi.tasks.TaskReport;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.PagingOptions;
import io.hdfsraid.raidshell.command.PathParameter;
import io.hdfsraid.raidshell.command.RestCommand;
import io.hdfsraid.raidshell.command.Screen;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.raidshell.command.ShellOptions;
import io.hdfsraid.raidshell.command.TaskScreen;
import io.hdfsraid.raidshell.command.TaskWatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "fsck",
    description = {
      "Shows the health of raided files: lost units, and how many more losses each stripe"
          + " tolerates.",
      "More than 100 files are checked by a task of the RaidNode, which the command follows.",
      "Exit code 3: units are lost, and all can be rebuilt; 4: some cannot; 5: some files could not"
          + " be checked."
    })
public final class FsckCommand extends RestCommand<FsckReport> {
  @Mixin private PathParameter path;

  @Mixin private PagingOptions paging;

  @Option(
      names = "--offline",
      description =
          "Check without a RaidNode. It only reads, so a RaidNode may run at the same time. It sees"
              + " what this user may see.")
  private boolean offline;

  @Override
  protected FsckReport ask(ShellOptions shell) throws IOException {
    return offline ? shell.directAccess().fsck(path.path(), paging.paging()) : ask(shell.client());
  }

  @Override
  protected FsckReport ask(RaidNodeClient client) throws IOException {
    try {
      return client.fsck(path.path(), paging.paging());
    } catch (RaidNodeException e) {
      if (e.code() != ErrorCode.REFUSED) {
        throw e;
      }
    }
    // There are too many files to wait for one answer.
    Paging page = paging.paging();
    TaskReport task = client.fsck(new FsckRequest(path.path(), page.limit(), page.cursor()));
    TaskReport end = new TaskWatch(client, spec().commandLine().getErr()).follow(task.id());
    return end.fsck()
        .orElseThrow(
            () ->
                new ShellException(
                    TaskScreen.exitCode(end),
                    "The check has ended without a result: %s. %s"
                        .formatted(end.state(), end.reason()),
                    ""));
  }

  @Override
  protected void show(FsckReport report, Screen screen) {
    for (FileHealth file : report.files()) {
      screen.line("%s (inode %d): %s".formatted(file.path(), file.inode(), wording(file)));
      if (!file.details().isEmpty()) {
        screen.table(
            List.of("  STRIPE", "STATE", "UNITS", "LOST", "TOLERATES", "WHERE"),
            file.details().stream().map(FsckCommand::row).toList());
      }
    }
    PagingOptions.showNext(report.next(), screen);
    if (!report.byHealth().isEmpty()) {
      screen.table(
          List.of("STATE", "TOLERATES", "FILES", "STRIPES", "FOR EXAMPLE"),
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
          "healthy, all %d stripes are whole, %s".formatted(file.stripes(), furtherLosses(file));
      case DEGRADED ->
          "degraded in %d of %d stripes, %s"
              .formatted(file.notHealthy(), file.stripes(), furtherLosses(file));
      case UNRECOVERABLE ->
          "UNRECOVERABLE, %s of %s cannot be rebuilt"
              .formatted(Screen.bytes(file.unreadableBytes()), Screen.bytes(file.length()));
      case UNKNOWN -> "unknown" + (file.problem().isEmpty() ? "" : ", " + file.problem());
    };
  }

  private static String furtherLosses(FileHealth file) {
    return "%s tolerates %d more".formatted(file.codec(), file.furtherLosses());
  }

  private static List<String> row(FsckReport.Health health) {
    return List.of(
        health.state().name(),
        health.furtherLosses() < 0 ? "-" : Integer.toString(health.furtherLosses()),
        Long.toString(health.files()),
        Long.toString(health.stripes()),
        String.join(" ", health.samples()));
  }

  private static List<String> row(StripeReport stripe) {
    return List.of(
        "  " + stripe.stripe(),
        stripe.state().name(),
        stripe.dataUnits() + "+" + stripe.parityUnits(),
        "%d of %d %s"
            .formatted(
                stripe.lost().size(), stripe.dataUnits() + stripe.parityUnits(), stripe.lost()),
        stripe.state() == HealthState.UNRECOVERABLE
            ? "-"
            : Integer.toString(stripe.furtherLosses()),
        where(stripe));
  }

  private static String where(StripeReport stripe) {
    List<String> words = new ArrayList<>();
    for (UnitReport unit : stripe.units()) {
      words.add(
          unit.unit()
              + ":"
              + (unit.state() == UnitReport.State.LIVE
                  ? unit.node().orElse("?")
                  : unit.state().name()));
    }
    return String.join(" ", words);
  }

  @Override
  protected ExitCode exitCode(FsckReport report) {
    return switch (report.summary().worst()) {
      case HEALTHY -> ExitCode.OK;
      case DEGRADED -> ExitCode.FINDINGS;
      case UNRECOVERABLE -> ExitCode.UNRECOVERABLE;
      case UNKNOWN -> ExitCode.PARTIAL;
    };
  }
}
