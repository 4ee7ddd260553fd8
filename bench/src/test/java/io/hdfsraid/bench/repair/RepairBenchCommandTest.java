// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.repair;

import static io.hdfsraid.bench.BenchShell.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsraid.bench.BenchShell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepairBenchCommandTest {
  private final BenchShell shell = new BenchShell("repair");

  @TempDir private Path directory;

  private Map<String, JsonNode> rows(int files, String... options) throws IOException {
    Path file = directory.resolve("bench.json");
    String[] all =
        Stream.concat(
                Stream.of(options),
                Stream.of(
                    "--files=" + files,
                    "--blocks=3",
                    "--block-size=1MiB",
                    "--workers=2",
                    "--read-limit=8MiB",
                    "--quick",
                    "--json",
                    file.toString()))
            .toArray(String[]::new);
    assertThat(shell.run(all)).as("%s%n%s", shell.out, shell.err).isZero();
    return BenchShell.rows(file);
  }

  @Test
  @Tag("full")
  void whatIsReadIsWhatTheCodesPromise() throws IOException {
    Map<String, JsonNode> rows = rows(2, "--codec=rs-3-2,less-3-2", "--kill=1", "--datanodes=6");

    for (String codec : List.of("rs-3-2", "less-3-2")) {
      assertThat(rows)
          .containsKeys(
              codec + " single blocks",
              codec + " all blocks",
              codec + " time",
              codec + " time limited",
              codec + " busiest",
              codec + " floor");
      assertThat(rows.get(codec + " floor").get("peerValue").asDouble()).isPositive();
      assertThat(value(rows.get(codec + " busiest"))).as("of five nodes").isBetween(1.0, 5.0);
      // What the DataNodes have counted, checksums taken off, and what the daemon has.
      assertThat(value(rows.get(codec + " single blocks")))
          .isCloseTo(value(rows.get(codec + " blocks with 1 lost")), within(1e-6));
    }
    assertThat(value(rows.get("rs-3-2 single blocks"))).isCloseTo(3, within(1e-6));
    JsonNode less = rows.get("less-3-2 single blocks");
    assertThat(value(less)).isBetween(1.9, 2.6);
    assertThat(less.get("peerValue").asDouble()).isCloseTo(2.4, within(1e-6));
    JsonNode limited = rows.get("less-3-2 time limited");
    assertThat(limited.get("peer").asText()).isEqualTo("rs-3-2");
    assertThat(limited.get("ratio").asDouble())
        .isCloseTo(value(limited) / limited.get("peerValue").asDouble(), within(1e-9));
    assertThat(shell.out.toString()).contains("[1] DataNodes died at once");
  }

  @Test
  @Tag("full")
  void severalDieAtOnceAndOtherChunksReadTheSame() throws IOException {
    // With two files, none of them had lost two units in one of six runs.
    Map<String, JsonNode> rows =
        rows(8, "--codec=rs-3-2,less-3-2", "--chunk=64KiB", "--kill=1,2", "--datanodes=7");

    assertThat(value(rows.get("rs-3-2 blocks with 2 lost"))).isCloseTo(1.5, within(1e-6));
    assertThat(value(rows.get("rs-3-2 all blocks"))).isLessThanOrEqualTo(3);
    assertThat(value(rows.get("less-3-2 c=64KiB single blocks"))).isBetween(1.9, 2.6);
    assertThat(rows.get("less-3-2 c=64KiB time").get("peer").asText()).isEqualTo("less-3-2");
  }

  @ParameterizedTest
  @CsvSource({
    "--codec,      banana,  'There is no codec banana'",
    "--kill,       5,       '--kill: rs-10-4 bears 4 losses, and 5 DataNodes'",
    "--kill,       0,       '--kill is 1 or more each time, but got [0]'",
    "--datanodes,  18,      'When 3 of 18 have died, the 16 units of lrc-xorbas-10-6 do not fit'",
    "--chunk,      banana,  '--chunk: A size is a number of KiB or MiB'",
    "--read-limit, 0MiB,    '--read-limit: A size is a number of KiB or MiB'",
    "--files,      1000,    'This needs '",
    "--json,       /no/such/bench.json, '--json: /no/such/bench.json cannot be written'"
  })
  void badInputIsOneLineAndNothingIsStarted(String option, String value, String complaint) {
    assertThat(shell.run(option, value)).isEqualTo(1);
    assertThat(shell.err.toString()).contains(complaint).hasLineCount(1);
    assertThat(shell.out.toString()).isEmpty();
  }
}
