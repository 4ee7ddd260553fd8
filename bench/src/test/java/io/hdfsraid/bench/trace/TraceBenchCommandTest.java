// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.trace;

import static io.hdfsraid.bench.BenchShell.value;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsraid.bench.BenchShell;
import io.hdfsraid.raidshell.command.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceBenchCommandTest {
  private final BenchShell shell = new BenchShell("trace");

  @TempDir private Path directory;

  @Test
  void ordersAreComparedWithTheOneThatKnowsTheFuture() throws IOException {
    Path file = directory.resolve("bench.json");
    assertThat(
            shell.run(
                "--quick",
                "--files=2000",
                "--reads-per-day=5000",
                "--hot=10,40",
                "--half-life=30",
                "--json",
                file.toString()))
        .as("%s%n%s", shell.out, shell.err)
        .isZero();
    assertThat(shell.out.toString())
        .contains("2,000 files at first", "exponent 0.9", "30 % of the reads repeat", "80 % of all")
        .contains("nightly uses played: ", "For 2 days uses are only taken down", "Seed 1.");

    Map<String, JsonNode> rows = BenchShell.rows(file);
    assertThat(rows.keySet())
        .startsWith(
            "miss ratio recency @10%",
            "miss ratio mix 30d @10%", "miss ratio frequency @10%", "miss ratio random @10%")
        .contains(
            "bytes missed recency @40%",
            "bytes missed at least @40%",
            "equal sizes miss ratio mix 30d @40%",
            "nightly users' miss ratio recency without job @10%");
    JsonNode recency = rows.get("miss ratio recency @10%");
    assertThat(recency.get("peer").asText()).isEqualTo("miss ratio Belady @10%");
    assertThat(recency.get("unit").asText()).isEqualTo("%");
    assertThat(value(recency))
        .isBetween(value(rows.get("miss ratio at least @10%")), 100.0)
        .isGreaterThan(value(rows.get("miss ratio recency @40%")));
    JsonNode random = rows.get("miss ratio random @10%");
    assertThat(recency.get("goal").asDouble()).isEqualTo(random.get("ratio").asDouble());
    assertThat(random.get("goal").isNull()).isTrue();
  }

  @Test
  void withoutTheJobThereAreNoRowsOfIt() throws IOException {
    Path file = directory.resolve("bench.json");
    assertThat(
            shell.run(
                "--quick",
                "--files=500",
                "--reads-per-day=1000",
                "--scanned=0",
                "--precision=1",
                "--hot=10",
                "--json",
                file.toString()))
        .as("%s%n%s", shell.out, shell.err)
        .isZero();
    assertThat(BenchShell.rows(file).keySet())
        .hasSize(3 * 6 + 2)
        .noneMatch(name -> name.contains("nightly"));
    assertThat(shell.out.toString()).contains("by access times of a precision of 1 h");
  }

  @Test
  void whatCannotBePlayedIsRefused() {
    refuses("--hot=0,10", "--hot is 1 to 100 per cent, but got [0, 10]");
    refuses("--half-life=0", "--half-life is 0.05 to 3650 days, but got [0.0]");
    refuses("--files=0", "1 to 10000000 files");
    refuses("--precision=-1", "--precision is 0 hours or more, but got -1");
    refuses("--reads-per-day=10000000", "of heap, but there are");
  }

  private void refuses(String option, String words) {
    assertThat(shell.run(option, "--days=300")).isEqualTo(ExitCode.USAGE.number());
    assertThat(shell.err.toString()).contains(words);
  }
}
