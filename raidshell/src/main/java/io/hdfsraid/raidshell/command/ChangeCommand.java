// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidshell.command;

import io.hdfsraid.raidapi.ChangePreview;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Mixin;

/**
 * A command that changes something. It shows a preview of the change, and carries the change out
 * with {@code --yes}.
 */
public abstract class ChangeCommand extends RestCommand<ChangePreview> {
  @Mixin private YesOption yes;

  protected boolean dryRun() {
    return yes.dryRun();
  }

  @Override
  protected final String reason() {
    return yes.reason();
  }

  @Override
  protected final void show(ChangePreview plan, Screen screen) {
    screen.line(
        "%s %s: %s%d files, %d of them skipped; reads %s, writes %s, %s"
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
          List.of("INODE", "PATH", "SKIPPED BECAUSE", "READS", "WRITES", "WHAT"),
          plan.items().stream().map(ChangeCommand::row).toList());
      if (plan.itemsNotShown() > 0) {
        screen.line("... and %d more".formatted(plan.itemsNotShown()));
      }
      screen.blank();
    }
    if (plan.itemsNotShown() > 0 && !plan.refusedByReason().isEmpty()) {
      screen.line("Skipped in all: " + counts(plan.refusedByReason()));
    }
    if (!plan.note().isEmpty()) {
      screen.line(plan.note());
    }
    screen.line(conclusion(plan));
  }

  private static String counts(Map<String, Long> byReason) {
    return byReason.entrySet().stream()
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }

  private static List<String> row(ChangePreview.Item item) {
    return List.of(
        Long.toString(item.inode()),
        item.path(),
        Screen.orDash(item.refused()),
        Screen.bytes(item.bytesToRead()),
        Screen.bytes(item.bytesToWrite()),
        item.repair().map(ChangeCommand::words).orElse(item.what()));
  }

  private static String words(ChangePreview.StripeRepair repair) {
    return "stripe %s lost %s: read %s, write %s"
        .formatted(
            repair.stripe(), repair.lost(), places(repair.sources()), places(repair.targets()));
  }

  private static String places(List<ChangePreview.UnitPlace> places) {
    return places.stream().map(ChangePreview.UnitPlace::toString).collect(Collectors.joining(" "));
  }

  private static String conclusion(ChangePreview plan) {
    return switch (plan.outcome()) {
      case PLANNED -> "Nothing was changed. To carry it out, add --yes.";
      case NOTHING_TO_DO -> "There is nothing to do.";
      case ACCEPTED ->
          plan.task()
              .map("Queued as task %s. 'raidshell task %1$s --wait' follows it."::formatted)
              .orElse("Queued. 'raidshell history' and 'raidshell files' show its progress.");
      case DONE -> "Done.";
      case PARTLY_DONE -> "A part was done; the rest was skipped.";
      case REFUSED -> "Refused; nothing was changed.";
      case UNRECOVERABLE -> "More units are lost than can be rebuilt.";
      case UNKNOWN -> "The RaidNode answered with an outcome that this version does not know.";
    };
  }

  @Override
  protected final ExitCode exitCode(ChangePreview plan) {
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
