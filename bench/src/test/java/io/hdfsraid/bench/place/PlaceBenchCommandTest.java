// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.place;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.bench.Bench;
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

class PlaceBenchCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path directory;

  private int bench(String... options) {
    List<String> all = new ArrayList<>(List.of("place"));
    all.addAll(List.of(options));
    return Bench.run(new PrintWriter(out), new PrintWriter(err), all.toArray(String[]::new));
  }

  private static JsonNode row(JsonNode report, String name) {
    for (JsonNode row : report.get("rows")) {
      if (row.get("name").asText().equals(name)) {
        return row;
      }
    }
    throw new AssertionError("No row " + name + " in " + report);
  }

  @Test
  void stripesThatAreReadInOneRackCrossLessThanHalfAndMeetTheGoal() throws IOException {
    Path json = directory.resolve("place.json");

    assertThat(bench("--quick", "--blocks", "200", "--nodes-per-rack", "10", "--json", "" + json))
        .as("%s%n%s", out, err)
        .isZero();

    JsonNode report = new ObjectMapper().readTree(json.toFile());
    assertThat(report.get("bench").asText()).isEqualTo("place");
    JsonNode near = row(report, "near, files of 200 blocks: crosses racks or moves");
    assertThat(near.get("ratio").asDouble()).isPositive().isLessThan(0.5);
    assertThat(near.get("met").asBoolean()).isTrue();
    // By chance, a reader in one of 20 racks has a replica of one block in ten beside it.
    assertThat(
            row(report, "today, files of 200 blocks: crosses racks or moves")
                .get("value")
                .asDouble())
        .isBetween(8.0, 10.0);
    assertThat(out.toString()).contains("Goals met: all of 1");
  }

  @ParameterizedTest
  @CsvSource({
    "--racks,          1,      '--racks and --nodes-per-rack are 2 or more'",
    "--nodes-per-rack, 1,      'with 14 nodes or more together'",
    "--blocks,         0,      '--blocks is 1 to 1000000'",
    "--kept,           banana, 'banana'"
  })
  void badInputIsOneLine(String option, String value, String complaint) {
    assertThat(bench(option, value)).isEqualTo(1);
    assertThat(err.toString()).contains(complaint).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }
}
