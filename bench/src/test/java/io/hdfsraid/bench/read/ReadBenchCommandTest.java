// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import static io.hdfsraid.bench.BenchShell.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsraid.bench.BenchShell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadBenchCommandTest {
  private static final List<String> ROWS =
      List.of(
          "degraded sequential",
          "degraded sequential limited",
          "degraded scan of JSON lines",
          "degraded scan of JSON lines beside RS-3-2-1024k",
          "bytes fetched per byte of JSON lines",
          "degraded scan of a column of Parquet",
          "degraded scan of a column of Parquet beside RS-3-2-1024k",
          "bytes fetched per byte of a column of Parquet",
          "degraded first byte 4 KiB",
          "degraded first byte 4 KiB beside RS-3-2-1024k",
          "degraded first byte 1 MiB",
          "degraded first byte 1 MiB beside RS-3-2-1024k",
          "degraded 4 KiB p50",
          "degraded 4 KiB p99",
          "degraded 4 KiB slow helper first",
          "degraded 4 KiB slow helper p50",
          "degraded 4 KiB slow helper p99",
          "bytes fetched per 4 KiB read",
          "NameNode calls of the first stream",
          "NameNode calls of the next stream");

  private final BenchShell shell = new BenchShell("read");

  @TempDir private Path directory;

  @Test
  @Tag("full")
  void everyRowIsMeasuredAndTheCountsAreAsPromised() throws IOException {
    Path file = directory.resolve("bench.json");
    assertThat(
            shell.run(
                "--codec=rs-3-2,less-3-2",
                "--blocks=7",
                "--block-size=2MiB",
                "--datanodes=7",
                "--read-limit=8MiB",
                "--quick",
                "--json",
                file.toString()))
        .as("%s%n%s", shell.out, shell.err)
        .isZero();

    Map<String, JsonNode> rows = BenchShell.rows(file);
    assertThat(rows.keySet())
        .startsWith(
            "healthy batch of 10 small reads",
            "healthy batch of 10 small reads beside RS-3-2-1024k",
            "healthy sequential");
    for (String codec : List.of("rs-3-2", "less-3-2")) {
      for (String row : ROWS) {
        assertThat(rows).containsKey(codec + " " + row);
        assertThat(value(rows.get(codec + " " + row))).as("%s %s", codec, row).isPositive();
      }
      assertThat(value(rows.get(codec + " NameNode calls of the first stream"))).isEqualTo(6);
      assertThat(value(rows.get(codec + " NameNode calls of the next stream"))).isEqualTo(1);
    }
    // Three helpers, 4 KiB of each.
    JsonNode fetched = rows.get("rs-3-2 bytes fetched per 4 KiB read");
    assertThat(value(fetched)).isCloseTo(12, within(0.01));
    assertThat(fetched.get("peer").asText()).isEqualTo("RS-3-2-1024k");
    assertThat(fetched.get("peerValue").asDouble()).isCloseTo(12, within(0.01));
    assertThat(rows.get("rs-3-2 degraded 4 KiB slow helper p50").get("peerValue").asDouble())
        .as("HDFS's client waits for the slow helper")
        .isGreaterThan((double) SlowHelperReads.DELAY.toMillis());
    assertThat(value(rows.get("rs-3-2 degraded 4 KiB slow helper p50")))
        .as("ours does not")
        .isLessThan((double) SlowHelperReads.DELAY.toMillis());
    // With a limit for each DataNode a healthy file cannot be read faster than one DataNode gives.
    assertThat(rows.get("rs-3-2 degraded sequential limited").get("peerValue").asDouble())
        .isLessThan(1.2 * (8 << 20) / 1e6);
  }

  @ParameterizedTest
  @CsvSource({
    "--codec,      banana,              'There is no codec banana'",
    "--files,      1,                   '--files is 2 or more, but got 1'",
    "--blocks,     0,                   '--blocks is 1 to 1000, but got 0'",
    "--block-size, 64KiB,               '--block-size is a number of MiB, but got 65536 bytes'",
    "--datanodes,  15,                  '--datanodes is 16 to 128, but got 15'",
    "--datanodes,  10,                  '--datanodes: HDFS''s own erasure coding needs 14, but got 10'",
    "--read-limit, 0MiB,                '--read-limit: A size is a number of KiB or MiB'",
    "--files,      1000,                'This needs '",
    "--json,       /no/such/bench.json, '--json: /no/such/bench.json cannot be written'"
  })
  void badInputIsOneLineAndNothingIsStarted(String option, String value, String complaint) {
    assertThat(shell.run(option, value)).isEqualTo(1);
    assertThat(shell.err.toString()).contains(complaint).hasLineCount(1);
    assertThat(shell.out.toString()).isEmpty();
  }
}
