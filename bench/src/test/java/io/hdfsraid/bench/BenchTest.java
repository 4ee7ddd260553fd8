// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.bench.measure.Samples;
import io.hdfsraid.bench.report.BenchOptions;
import io.hdfsraid.bench.report.Row;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class BenchTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private int program(String... args) {
    return Bench.run(new PrintWriter(out), new PrintWriter(err), args);
  }

  private int bench(String... options) {
    return program(Stream.concat(Stream.of("codec"), Stream.of(options)).toArray(String[]::new));
  }

  @Test
  void theReportForProgramsHasTheRowsThatPeopleRead() throws IOException {
    Path file = directory.resolve("bench.json");
    assertThat(
            bench(
                "--codec",
                "rs-3-2",
                "--kernel",
                "portable",
                "--cell",
                "1KiB",
                "--quick",
                "--rounds=1",
                "--json",
                file.toString()))
        .as("%s%n%s", out, err)
        .isZero();

    JsonNode report = new ObjectMapper().readTree(Files.readString(file));
    assertThat(report.get("bench").asText()).isEqualTo("codec");
    assertThat(report.get("machine").get("cpu").asText()).isNotEmpty();
    assertThat(report.get("machine").get("cores").asInt()).isPositive();
    assertThat(report.get("machine").get("jdk").asText()).isNotEmpty();
    assertThat(report.get("machine").get("flags").isArray()).isTrue();
    assertThat(report.get("machine").get("loadAverage").isNumber()).isTrue();
    List<String> names = new ArrayList<>();
    for (JsonNode row : report.get("rows")) {
      names.add(row.get("name").asText());
      assertThat(fields(row))
          .containsExactly(
              "name",
              "value",
              "unit",
              "peer",
              "peerValue",
              "ratio",
              "low",
              "high",
              "goal",
              "wanted",
              "goalOf",
              "met",
              "note");
      assertThat(row.get("value").isNumber()).isTrue();
    }
    assertThat(names)
        .containsExactly(
            "rs-3-2 encode 1KiB portable",
            "rs-3-2 decode1 1KiB portable",
            "rs-3-2 decodem 1KiB portable",
            "rs-3-2 plan");
    JsonNode encode = report.get("rows").get(0);
    assertThat(encode.get("unit").asText()).isEqualTo("GB/s");
    assertThat(encode.get("peer").asText()).isEqualTo("hadoop rs-3-2 encode 1KiB");
    assertThat(encode.get("peerValue").isNumber()).isTrue();
    assertThat(encode.get("ratio").isNumber()).isTrue();

    assertThat(out.toString()).contains(names).contains("Machine: ", "RATIO", "load average");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void theHeapIsMeasuredOnRequest() {
    String[] options = {
      "--codec=rs-3-2", "--kernel=portable", "--cell=1KiB", "--quick", "--rounds=1"
    };
    assertThat(bench(options)).isZero();
    assertThat(out.toString()).contains("Our buffers are direct and aligned to 64 bytes;");
    assertThat(bench(Stream.concat(Stream.of(options), Stream.of("--heap")).toArray(String[]::new)))
        .isZero();
    assertThat(out.toString()).contains("Our buffers are on the heap, too;");
  }

  private static List<String> fields(JsonNode row) {
    List<String> names = new ArrayList<>();
    row.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @ParameterizedTest
  @CsvSource({
    "--codec,  rs-1-0,              'There is no codec rs-1-0'",
    "--codec,  'rs-3-2,banana',     'There is no codec banana'",
    "--kernel, banana,              'There is no kernel banana. Kernels are '",
    "--cell,   64,                  'A size is a number of KiB or MiB, such as 64KiB, but got 64'",
    "--rounds, 0,                   '--rounds is 1 to 1000, but got 0'",
    "--json,   /no/such/bench.json, '--json: /no/such/bench.json cannot be written'",
    "--json,   target,              '--json: target cannot be written'",
    "--what,   ever,                '--what'"
  })
  void badInputIsOneLineAndNothingIsMeasured(String option, String value, String complaint)
      throws IOException {
    Path file = directory.resolve("bench.json");
    List<String> options = new ArrayList<>(List.of(option, value));
    if (!option.equals("--json")) {
      options.addAll(List.of("--json", file.toString()));
    }
    assertThat(bench(options.toArray(String[]::new))).isEqualTo(1);
    assertThat(err.toString()).contains(complaint).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
    assertThat(file).doesNotExist();
  }

  /** Two rows, one of which is too slow. */
  @Command(name = "tiny")
  private static final class Tiny implements Callable<Integer> {
    @Mixin private BenchOptions options;

    @Override
    public Integer call() {
      Row.Unit unit = new Row.Unit("k/s", 1000);
      return options.run(
          "tiny",
          List.of(),
          List.of(),
          outcomes ->
              List.of(
                  Row.alone("slow", unit, Samples.of(2000)).withGoal(3),
                  Row.alone("fast", unit, Samples.of(2000)).withGoal(2)));
    }
  }

  @ParameterizedTest
  @CsvSource({"'', 0", "--strict, 3"})
  void aMissedGoalIsSaidAndIsAFindingOnlyForTheStrict(String option, int exitCode) {
    CommandLine tiny = new CommandLine(new Tiny()).setOut(new PrintWriter(out));
    assertThat(option.isEmpty() ? tiny.execute() : tiny.execute(option)).isEqualTo(exitCode);
    assertThat(out.toString())
        .contains("Goals missed: 1 of 2", "slow: 2.00 k/s, wanted at least 3.00");
  }

  @Test
  void benchAloneSaysWhatThereIs() {
    assertThat(program()).isEqualTo(1);
    assertThat(err.toString())
        .contains(
            "Which bench? There is: codec, raid, repair, read, index, trace, place, engine, encode, scale, help.");
  }
}
