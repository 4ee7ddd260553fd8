package io.hdfsraid.offline.bench;

import static java.util.Objects.requireNonNullElse;

import io.hdfsraid.offline.output.Progress;
import io.hdfsraid.offline.output.ReportFile;
import io.hdfsraid.offline.output.Terminal;
import io.hdfsraid.raidshell.ExitCode;
import io.hdfsraid.raidshell.ShellException;
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
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all benches have in common: how long, where to, and what becomes of the outcome. */
final class BenchOptions {
  private static final String JSON = "--json";
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

  /**
   * Gives a command the option {@code --json FILE}, in place of the flag of that name that all
   * commands of the shell have, which would print to the screen.
   */
  static void addJson(CommandSpec command) {
    Optional.ofNullable(command.findOption(JSON)).ifPresent(command::remove);
    command.addOption(
        OptionSpec.builder(JSON)
            .paramLabel("FILE")
            .type(Path.class)
            .description("Also write the report to this file, for programs.")
            .build());
  }

  /** Says what is wrong before anything is measured. */
  void check() {
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

  ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Optional<ReportFile> json() {
    Path file = spec.commandLine().getParseResult().matchedOptionValue(JSON, null);
    return Optional.ofNullable(file).map(ReportFile::new);
  }

  private Race.Pace pace() {
    return quick
        ? new Race.Pace(requireNonNullElse(rounds, QUICK_ROUNDS), 3 * MILLI, 500 * MILLI)
        : new Race.Pace(requireNonNullElse(rounds, USUAL_ROUNDS), 10 * MILLI, 3000 * MILLI);
  }

  /**
   * Measures, shows and writes.
   *
   * @param rows made of what was measured
   * @return the exit code
   */
  int run(
      String bench,
      List<String> method,
      List<Heat> heats,
      Function<Map<String, Outcome>, List<Row>> rows) {
    return run(
        bench,
        () -> {
          Map<String, Outcome> outcomes;
          try {
            outcomes = ShownRace.run(heats, pace(), out(), Terminal.watched());
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
  record Measured(List<String> method, List<Row> rows) {}

  /** Likewise, whatever it is that measures. */
  int run(String bench, Supplier<Measured> measurement) {
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

  boolean quick() {
    return quick;
  }

  /** As asked for, or else as usual for this bench, in full or {@code --quick}. */
  <T> T or(T asked, T usual, T quickly) {
    return requireNonNullElse(asked, quick ? quickly : usual);
  }

  /**
   * Shows how far something is.
   *
   * @param total 0 where nobody knows
   */
  Progress progress(String what, long total) {
    return new Progress(out(), Terminal.watched(), what, total, Progress.Unit.ITEMS);
  }

  /** As asked for, or else as many as are usual for this bench. */
  int rounds(int usual) {
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
