package io.hdfsraid.offline;

import io.hdfsraid.erasurecode.KernelReport;
import io.hdfsraid.erasurecode.KernelReport.Entry;
import io.hdfsraid.erasurecode.MatrixKind;
import io.hdfsraid.raidshell.Screen;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kernels of this machine, for people. */
record KernelTable(KernelReport report) {
  private static final List<String> HEADING =
      List.of("KERNEL", "STATE", "GENERAL", "BINARY", "IN USE FOR", "DETAIL");

  void show(Screen screen) {
    screen.table(HEADING, report.kernels().stream().map(this::row).toList());
    for (Entry kernel : report.kernels()) {
      kernel.problem().ifPresent(problem -> screen.line(kernel.name() + ": " + problem));
    }
    screen.blank();
    screen.line(
        "GENERAL and BINARY: GB/s of input on one thread, for matrices of any coefficients and of zeros and ones.");
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
        kernel.name(),
        state(kernel),
        speed(kernel, MatrixKind.GENERAL),
        speed(kernel, MatrixKind.BINARY),
        inUse.isEmpty() ? "-" : inUse,
        kernel.detail().orElse("-"));
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

  private static String speed(Entry kernel, MatrixKind kind) {
    Double speed = kernel.gigabytesPerSecond().get(kind);
    return speed == null ? "-" : String.format(Locale.ROOT, "%.1f", speed);
  }
}
