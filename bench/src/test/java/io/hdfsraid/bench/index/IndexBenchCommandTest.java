// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.index;

import static io.hdfsraid.bench.BenchShell.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsraid.bench.BenchShell;
import io.hdfsraid.raidshell.command.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexBenchCommandTest {
  private final BenchShell shell = new BenchShell("index");

  @TempDir private Path directory;

  @Test
  @Tag("full")
  void anIndexIsMeasuredBesideTheAlternatives() throws IOException {
    Path file = directory.resolve("bench.json");
    assertThat(
            shell.run(
                "--files=20000,40000",
                "--events=10000",
                "--listed=1500",
                "--quick",
                "--json",
                file.toString()))
        .as("%s%n%s", shell.out, shell.err)
        .isZero();

    Map<String, JsonNode> rows = BenchShell.rows(file);
    assertThat(rows.keySet())
        .startsWith("bootstrap", "events", "bytes per file", "heap", "pick 10000", "restart")
        .contains("bootstrap 2e4", "restart 4e4", "pick 10000 flat", "sqlite pick 10000 2e4")
        .endsWith("listing");
    for (String contested : List.of("bootstrap", "events", "bytes per file", "pick 10000")) {
      JsonNode largest = rows.get(contested);
      JsonNode sqlite = rows.get("sqlite " + contested + " 4e4");
      assertThat(largest.get("peer").asText()).isEqualTo("sqlite " + contested + " 4e4");
      assertThat(largest.get("peerValue")).isEqualTo(sqlite.get("value"));
      assertThat(largest.get("ratio").asDouble())
          .isCloseTo(value(largest) / value(sqlite), withinPercentage(1));
      assertThat(largest.get("goalOf").asText()).isEqualTo("value");
      assertThat(rows.get(contested + " 2e4").get("peer").asText())
          .isEqualTo("sqlite " + contested + " 2e4");
    }
    assertThat(rows.get("heap").get("peer").isNull()).isTrue();
    assertThat(rows.get("bootstrap beside listing").get("peerValue"))
        .isEqualTo(rows.get("listing").get("value"));
    assertThat(value(rows.get("bytes per file"))).isBetween(30.0, 120.0);
    assertThat(value(rows.get("heap"))).isBetween(1.0, 1024.0);
    assertThat(value(rows.get("sqlite bytes per file 4e4"))).isGreaterThan(100);
  }

  @Test
  void whatCannotBeMeasuredIsRefused() {
    assertThat(shell.run("--files=1")).isEqualTo(ExitCode.USAGE.number());
    assertThat(shell.err.toString()).contains("--files is a number from 20000 to 200000000");
    assertThat(shell.run("--events=10")).isEqualTo(ExitCode.USAGE.number());
    assertThat(shell.err.toString()).contains("--events is 10000 or more, but got 10");
  }
}
