package io.hdfsraid.raidshell;

import io.hdfsraid.raidapi.PlanView;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** A command that changes something: it shows what it would do, and does it with {@code --yes}. */
abstract class PlanCommand extends RestCommand<PlanView> {
  @Option(names = "--yes", description = "Carry it out. Without this the plan is only shown.")
  private boolean yes;

  boolean dryRun() {
    return !yes;
  }

  @Override
  final void show(PlanView plan, Screen screen) {
    screen.line(
        "%s %s: %s%d files, %d of them left alone; reads %s, writes %s, %s"
            .formatted(
                plan.action(),
                plan.path(),
                dryRun() ? "would cover " : "",
                plan.files(),
                plan.refused(),
                Screen.bytes(plan.bytesToRead()),
                Screen.bytes(plan.bytesToWrite()),
                plan.bytesFreed() < 0
                    ? "needs " + Screen.bytes(-plan.bytesFreed())
                    : "frees " + Screen.bytes(plan.bytesFreed())));
    if (!plan.items().isEmpty()) {
      screen.blank();
      screen.table(
          List.of("INODE", "PATH", "LEFT BECAUSE", "READS", "WRITES", "WHAT"),
          plan.items().stream().map(PlanCommand::row).toList());
      if (plan.itemsNotShown() > 0) {
        screen.line("... and %d more".formatted(plan.itemsNotShown()));
      }
      screen.blank();
    }
    if (!plan.note().isEmpty()) {
      screen.line(plan.note());
    }
    screen.line(conclusion(plan));
  }

  private static List<String> row(PlanView.Item item) {
    return List.of(
        Long.toString(item.inode()),
        item.path(),
        Screen.orDash(item.refused()),
        Screen.bytes(item.bytesToRead()),
        Screen.bytes(item.bytesToWrite()),
        item.repair().map(PlanCommand::words).orElse(item.what()));
  }

  private static String words(PlanView.StripeRepair repair) {
    return "stripe %s lost %s: read %s, write %s"
        .formatted(
            repair.stripe(), repair.lost(), places(repair.sources()), places(repair.targets()));
  }

  private static String places(List<PlanView.UnitPlace> places) {
    return places.stream().map(PlanView.UnitPlace::toString).collect(Collectors.joining(" "));
  }

  private static String conclusion(PlanView plan) {
    return switch (plan.outcome()) {
      case PLANNED -> "Nothing was changed. To carry it out, add --yes.";
      case NOTHING_TO_DO -> "There is nothing to do.";
      case ACCEPTED -> "Queued. 'raidshell history' and 'raidshell files' show how it goes on.";
      case DONE -> "Done.";
      case PARTLY_DONE -> "Done in part; the rest was left alone.";
      case REFUSED -> "Refused; nothing was changed.";
      case UNRECOVERABLE -> "What is left does not suffice to rebuild what is lost.";
      case UNKNOWN -> "The RaidNode answered with an outcome that this version does not know.";
    };
  }

  @Override
  final ExitCode exitCode(PlanView plan) {
    return switch (plan.outcome()) {
      case PLANNED, NOTHING_TO_DO, DONE -> ExitCode.OK;
      case ACCEPTED -> plan.refused() > 0 ? ExitCode.PARTIAL : ExitCode.OK;
      case PARTLY_DONE -> ExitCode.PARTIAL;
      case REFUSED -> ExitCode.REFUSED;
      case UNRECOVERABLE -> ExitCode.UNRECOVERABLE;
      case UNKNOWN -> ExitCode.IO;
    };
  }
}
