// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.engine;

import static io.hdfsraid.bench.BenchShell.value;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsraid.bench.BenchShell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineBenchCommandTest {
  private final BenchShell shell = new BenchShell("engine");

  @TempDir private Path directory;

  private Map<String, JsonNode> rows(String... options) throws IOException {
    Path file = directory.resolve("bench.json");
    List<String> all =
        new ArrayList<>(
            List.of(
                "--codec=rs-3-2",
                "--block-size=1MiB",
                "--datanodes=7",
                "--link-mb=40",
                "--quick",
                "--json",
                file.toString()));
    all.addAll(List.of(options));
    assertThat(shell.run(all.toArray(String[]::new))).as("%s%n%s", shell.out, shell.err).isZero();
    return BenchShell.rows(file);
  }

  @Test
  void aTaskEncodesAndRepairsAndNothingPassesThroughTheDaemon() throws IOException {
    Map<String, JsonNode> rows = rows("--files=1", "--stripes=1", "--containers=1");
    assertThat(value(rows.get("encode 1 container"))).isPositive();
    assertThat(value(rows.get("repair 1 container"))).isPositive();
    assertThat(value(rows.get("daemon bytes per byte"))).isZero();
  }

  @Test
  @Tag("full")
  void containersEncodeAndRepairAndLittlePassesThroughTheDaemon() throws IOException {
    Map<String, JsonNode> rows = rows("--files=2");
    assertThat(rows)
        .containsOnlyKeys(
            "encode 1 container",
            "encode 2 containers",
            "repair 1 container",
            "repair 2 containers",
            "daemon bytes per byte",
            "NameNode calls per file");
    assertThat(value(rows.get("daemon bytes per byte"))).isZero();
    assertThat(rows.get("daemon bytes per byte").get("peerValue").asDouble())
        .as("source and parity, by the daemon alone")
        .isBetween(1.6, 1.8);
    assertThat(value(rows.get("repair 2 containers"))).isPositive();
    assertThat(rows.get("encode 2 containers").get("peer").asText()).isEqualTo("2 times one");
  }

  @ParameterizedTest
  @CsvSource({
    "--containers=2, begins with 1",
    "--link-mb=0, --link-mb is more than 0",
    "--stripes=0, --stripes is 1 to 100",
    "--codec=rs-1, There is no codec rs-1",
    "--datanodes=3, --datanodes is"
  })
  void badInputIsOneLine(String option, String said) {
    assertThat(shell.run(option)).isEqualTo(1);
    assertThat(shell.err.toString()).contains(said);
  }
}
