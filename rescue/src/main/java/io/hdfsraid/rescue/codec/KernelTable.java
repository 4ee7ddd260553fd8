// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.codec;

import io.hdfsraid.erasurecode.kernel.KernelReport;
import io.hdfsraid.erasurecode.kernel.KernelReport.Entry;
import io.hdfsraid.erasurecode.kernel.MatrixKind;
import io.hdfsraid.raidshell.command.Screen;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A table of the kernels of this machine. */
record KernelTable(KernelReport report) {
  private static final List<String> HEADING = List.of("KERNEL", "STATE", "IN USE FOR", "DETAIL");

  /** As many whole words as fit a screen. */
  private static final String FITTING = "(.{1,110})(?: +|$)";

  void show(Screen screen) {
    screen.table(HEADING, report.kernels().stream().map(this::row).toList());
    for (Entry kernel : report.kernels()) {
      kernel
          .problem()
          .map(problem -> kernel.name() + ": " + problem)
          .ifPresent(text -> text.replaceAll(FITTING, "$1\n").lines().forEach(screen::line));
    }
    screen.blank();
    screen.line(
        "Binary matrices hold only zeros and ones. bin/raidshell bench codec measures speeds.");
    report
        .inUse()
        .forEach(
            (kind, choice) ->
                screen.line(
                    "In use for %s matrices: %s (%s)"
                        .formatted(word(kind), choice.kernel(), choice.reason())));
  }

  private List<String> row(Entry kernel) {
    String inUse =
        Stream.of(MatrixKind.values())
            .filter(report.inUse()::containsKey)
            .filter(kind -> report.inUse().get(kind).kernel().equals(kernel.name()))
            .map(KernelTable::word)
            .collect(Collectors.joining(", "));
    return List.of(
        kernel.name(), state(kernel), inUse.isEmpty() ? "-" : inUse, kernel.detail().orElse("-"));
  }

  private static String state(Entry kernel) {
    return switch (kernel.state()) {
      case UNTESTED -> "untested";
      case UNAVAILABLE -> "absent";
      case RIGHT -> "right bytes";
      case WRONG -> "WRONG BYTES";
    };
  }

  private static String word(MatrixKind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }
}
