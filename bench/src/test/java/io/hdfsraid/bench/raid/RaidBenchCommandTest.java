// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.raid;

import static io.hdfsraid.bench.BenchShell.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsraid.bench.BenchShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RaidBenchCommandTest {
  private static final double BLOCK = (1 << 20) / 1e6;

  /** DataNodes count checksums, 4 bytes for 512, with what they read. */
  private static final double BLOCK_READ = BLOCK * 129 / 128;

  private static final List<String> SPLIT =
      List.of("read", "code", "CRC", "write", "NameNode", "wait");

  private final BenchShell shell = new BenchShell("raid");

  @TempDir private Path directory;

  @Test
  @Tag("full")
  void whatIsMeasuredIsWhatDataNodesMoved() throws IOException {
    long workspaces = workspaces();
    Path file = directory.resolve("bench.json");
    assertThat(
            shell.run(
                "--codec=rs-3-2",
                "--files=2",
                "--blocks=5",
                "--block-size=1MiB",
                "--datanodes=7",
                "--racks=1",
                "--workers=2",
                "--quick",
                "--json",
                file.toString()))
        .as("%s%n%s", shell.out, shell.err)
        .isZero();

    Map<String, JsonNode> rows = BenchShell.rows(file);
    assertThat(rows.keySet())
        .startsWith(
            "rs-3-2 raid bytes",
            "rs-3-2 raid bytes without moves",
            "rs-3-2 raid moves",
            "rs-3-2 raid time",
            "rs-3-2 raid floor",
            "rs-3-2 raid audit");
    // Two files of 3 + 2 blocks in two stripes: 10 blocks read, 2 · 2 · 2 parity units written.
    JsonNode withoutMoves = rows.get("rs-3-2 raid bytes without moves");
    assertThat(value(withoutMoves)).isCloseTo(10 * BLOCK_READ + 8 * BLOCK, within(0.001));
    // Read 10, write 10 and, as cells are 1 MiB long, 2 for every 3, one of them incomplete.
    assertThat(withoutMoves.get("peerValue").asDouble())
        .isCloseTo(10 * BLOCK_READ + 18 * BLOCK, within(0.001));
    double moves = value(rows.get("rs-3-2 raid moves"));
    double moved = moves / (BLOCK_READ + BLOCK);
    assertThat(moved)
        .as("a move reads and writes a block")
        .isCloseTo(Math.rint(moved), within(0.001));
    assertThat(value(rows.get("rs-3-2 raid bytes")))
        .isCloseTo(value(withoutMoves) + moves, within(1e-6));
    JsonNode floor = rows.get("rs-3-2 raid floor");
    assertThat(value(floor) * value(rows.get("rs-3-2 raid time")))
        .isCloseTo(10 * BLOCK, within(0.001));
    assertThat(floor.get("ratio").asDouble())
        .isCloseTo(value(floor) / floor.get("peerValue").asDouble(), within(1e-9));
    assertThat(floor.get("wanted").asText()).isEqualTo("at least");
    assertThat(withoutMoves.get("wanted").asText()).isEqualTo("at most");
    for (String coder : List.of("raid", "rs-legacy")) {
      assertThat(
              SPLIT.stream()
                  .mapToDouble(part -> value(rows.get("rs-3-2 %s %s".formatted(coder, part))))
                  .sum())
          .as(coder)
          .isCloseTo(100, within(0.01));
    }
    assertThat(SPLIT)
        .filteredOn(part -> !part.equals("wait"))
        .allMatch(part -> value(rows.get("rs-3-2 raid " + part)) > 0);
    assertThat(shell.out.toString()).contains("the coder of the rewrite: RSRawEncoder", "<=0.62");
    assertThat(workspaces()).as("temporary directories").isEqualTo(workspaces);
  }

  /** Counts those of this process: other tests have theirs at the same time. */
  private static long workspaces() throws IOException {
    String ours = "hdfs-raid-bench-%d-".formatted(ProcessHandle.current().pid());
    try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return all.filter(path -> path.getFileName().toString().startsWith(ours)).count();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--codec,      less-6-3,           'HDFS has no policy for less-6-3 to compare with'",
    "--codec,      banana,             'There is no codec banana'",
    "--kernel,     banana,             'There is no kernel banana. Kernels are '",
    "--files,      0,                  '--files is 1 to 1000, but got 0'",
    "--blocks,     1001,               '--blocks is 1 to 1000, but got 1001'",
    "--block-size, 64KiB,              '--block-size is a number of MiB, but got 65536 bytes'",
    "--datanodes,  13,                 '--datanodes is 14 to 128, but got 13'",
    "--racks,      33,                 '--racks is 1 to 32, but got 33'",
    "--workers,    0,                  '--workers is 1 to 64, but got 0'",
    "--files,      1000,               'This needs '",
    "--json,       /no/such/bench.json, '--json: /no/such/bench.json cannot be written'"
  })
  void badInputIsOneLineAndNothingIsStarted(String option, String value, String complaint) {
    assertThat(shell.run(option, value)).isEqualTo(1);
    assertThat(shell.err.toString()).contains(complaint).hasLineCount(1);
    assertThat(shell.out.toString()).isEmpty();
  }
}
