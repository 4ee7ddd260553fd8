// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.bench.Bench;
import io.hdfsraid.erasurecode.codes.Codecs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScaleBenchCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path directory;

  private int bench(String... options) {
    List<String> all = new ArrayList<>(List.of("scale"));
    all.addAll(List.of(options));
    return Bench.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
  }

  private static double value(JsonNode report, String name) {
    for (JsonNode row : report.get("rows")) {
      if (row.get("name").asText().equals(name)) {
        return row.get("value").asDouble();
      }
    }
    throw new AssertionError("No row " + name + " in " + report);
  }

  @Test
  void theFiguresFollowFromTheNumbersGiven() throws IOException {
    Path json = directory.resolve("scale.json");

    assertThat(
            bench(
                "--nodes=100",
                "--racks=10",
                "--tb-per-node=10",
                "--node-gbit=8",
                "--rack-gbit=8000",
                "--share=50",
                "--raid-tb-per-hour=36",
                "--mb-per-file=1000",
                "--calls-per-file=20",
                "--container-mb=100",
                "--codec=rs-10-4,less-10-4",
                "--json=" + json))
        .as("%s%n%s", out, err)
        .isZero();

    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(value(report, "raid: files")).isEqualTo(36_000);
    assertThat(value(report, "raid: NameNode calls")).isCloseTo(200, within(1e-6));
    assertThat(value(report, "raid: containers")).isCloseTo(100, within(1e-6));
    assertThat(value(report, "rs-10-4: dead node, read")).isEqualTo(100);
    // 110 TB by 99 nodes with 0.5 GB/s each; the links of racks are no limit.
    assertThat(value(report, "rs-10-4: dead node, until whole"))
        .isCloseTo(110e12 / (99 * 0.5e9) / 3600, within(1e-6));
    assertThat(value(report, "rs-10-4: dead rack, until whole"))
        .isCloseTo(1100e12 / (90 * 0.5e9) / 3600, within(1e-6));
    assertThat(value(report, "less-10-4: blocks read for one")).isCloseTo(4.64, within(0.01));
    assertThat(out.toString()).contains("Computed, not measured: 100 nodes in 10 racks");
  }

  @Test
  void theLinksOfRacksCanBeTheLimit() {
    ScaledCluster cluster = new ScaledCluster(100, 10, 1e12, 1e9, 1e9);

    assertThat(cluster.secondsForNode(Codecs.parse("rs-10-4")))
        .isCloseTo(11e12 * 0.9 / 10e9, within(1e-6));
  }

  @ParameterizedTest
  @CsvSource({
    "--nodes,       0,      '--nodes is more than 0, but got 0'",
    "--racks,       7,      'divides --nodes, but got 7 racks'",
    "--share,       -1,     '--share is more than 0'",
    "--tb-per-node, NaN,    '--tb-per-node is more than 0'",
    "--codec,       banana, '--codec: There is no codec banana'"
  })
  void badInputIsOneLine(String option, String value, String complaint) {
    assertThat(bench(option, value)).isEqualTo(1);
    assertThat(err.toString()).contains(complaint).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }
}
