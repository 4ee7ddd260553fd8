// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.report;

import static java.util.Objects.requireNonNullElse;

import io.hdfsraid.bench.measure.InterleavedRun;
import io.hdfsraid.bench.measure.InterleavedTasks;
import io.hdfsraid.bench.measure.RunProgress;
import io.hdfsraid.bench.measure.TaskSpeed;
import io.hdfsraid.bench.measure.WrongResultException;
import io.hdfsraid.raidshell.command.ExitCode;
import io.hdfsraid.raidshell.command.Progress;
import io.hdfsraid.raidshell.command.ShellException;
import io.hdfsraid.raidshell.command.Terminal;
import io.hdfsraid.rescue.output.ReportFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of all benchmarks: rounds, output file and exit code. */
public final class BenchOptions {
  private static final int MOST_ROUNDS = 1000;
  private static final int USUAL_ROUNDS = 15;
  private static final int QUICK_ROUNDS = 3;
  private static final long MILLI = 1_000_000;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description =
          "How often everything is measured. Default: 15, or 5 or 1 where rounds are long")
  private Integer rounds;

  @Option(
      names = "--quick",
      description = "Few rounds and a short warm-up: to see that it runs, not for quoting.")
  private boolean quick;

  @Option(
      names = "--strict",
      description = "End with exit code 3 when a goal is missed. Without this it is only said.")
  private boolean strict;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Also write the report to this file, for programs.")
  private Path json;

  /** Says what is wrong before anything is measured. */
  public void check() {
    if (rounds != null && (rounds < 1 || rounds > MOST_ROUNDS)) {
      throw wrong("--rounds is 1 to %d, but got %d".formatted(MOST_ROUNDS, rounds));
    }
    json()
        .flatMap(ReportFile::problem)
        .ifPresent(
            problem -> {
              throw wrong("--json: " + problem);
            });
  }

  public ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Optional<ReportFile> json() {
    return Optional.ofNullable(json).map(ReportFile::new);
  }

  private InterleavedRun.Pace pace() {
    return quick
        ? new InterleavedRun.Pace(requireNonNullElse(rounds, QUICK_ROUNDS), 3 * MILLI, 500 * MILLI)
        : new InterleavedRun.Pace(
            requireNonNullElse(rounds, USUAL_ROUNDS), 10 * MILLI, 3000 * MILLI);
  }

  /**
   * Measures, shows and writes.
   *
   * @param rows made of what was measured
   * @return the exit code
   */
  public int run(
      String bench,
      List<String> method,
      List<InterleavedTasks> groups,
      Function<Map<String, TaskSpeed>, List<Row>> rows) {
    return run(
        bench,
        () -> {
          Map<String, TaskSpeed> outcomes;
          try {
            outcomes = RunProgress.run(groups, pace(), out(), Terminal.watched());
          } catch (WrongResultException e) {
            throw new ShellException(
                ExitCode.IO, e.getMessage(), "Nothing was measured. Please report this.");
          }
          return new Measured(
              Stream.concat(Stream.of(pace().words()), method.stream()).toList(),
              rows.apply(outcomes));
        });
  }

  /**
   * What a bench found, see {@link BenchReport}.
   *
   * @param method how it was measured, in sentences
   */
  public record Measured(List<String> method, List<Row> rows) {}

  /** Runs any measurement. */
  public int run(String bench, Supplier<Measured> measurement) {
    Machine machine = Machine.here();
    long start = System.nanoTime();
    Measured measured = measurement.get();
    BenchReport report =
        new BenchReport(
            bench,
            measured.method(),
            machine,
            Machine.here().loadAverage(),
            (System.nanoTime() - start) / 1e9,
            measured.rows());
    new BenchScreen(out()).show(report);
    json().ifPresent(file -> write(file, report));
    return strict && !report.missed().isEmpty() ? ExitCode.FINDINGS.number() : ExitCode.OK.number();
  }

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  public boolean quick() {
    return quick;
  }

  /** As asked for, or else as usual for this bench, in full or {@code --quick}. */
  public <T> T or(T asked, T usual, T quickly) {
    return requireNonNullElse(asked, quick ? quickly : usual);
  }

  /**
   * Shows how far something is.
   *
   * @param total 0 if unknown
   */
  public Progress progress(String what, long total) {
    return new Progress(out(), Terminal.watched(), what, total, Progress.Unit.ITEMS);
  }

  /** As asked for, or else as many as are usual for this bench. */
  public int rounds(int usual) {
    return requireNonNullElse(rounds, usual);
  }

  private void write(ReportFile file, BenchReport report) {
    try {
      file.write(report);
    } catch (IOException e) {
      throw new ShellException(
          ExitCode.IO, "The report could not be written to %s: %s".formatted(file.path(), e), "");
    }
    PrintWriter out = out();
    out.println("The report is in " + file.path());
    out.flush();
  }
}
