package io.hdfsraid.offline.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsraid.offline.Offline;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoTest {
  private static final double OVERHEAD_OF_RS_3_2 = 5.0 / 3;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private int demo(String... options) {
    String[] args = Stream.concat(Stream.of("demo"), Stream.of(options)).toArray(String[]::new);
    return Offline.run(new PrintWriter(out), new PrintWriter(err), args);
  }

  @Test
  void theWholeDemoEndsWellAndItsFiguresAgree() throws IOException {
    long workspaces = workspaces();
    Path json = directory.resolve("report.json");
    assertThat(demo("--codec", "rs-3-2", "--datanodes", "9", "--json", json.toString()))
        .as("%s%n%s", out, err)
        .isZero();

    DemoReport report = new ObjectMapper().readValue(Files.readString(json), DemoReport.class);
    assertThat(report.codec()).isEqualTo("rs-3-2");
    assertThat(report.filesRaided()).isEqualTo(6);
    assertThat(report.filesLeft())
        .containsEntry("EMPTY", 1)
        .containsEntry("EXCLUDED", 1)
        .containsEntry("STILL_WARM", 1)
        .containsEntry("NO_POLICY", 2);
    int left = report.filesLeft().values().stream().mapToInt(Integer::intValue).sum();
    assertThat(report.filesRaided() + left).isEqualTo(report.filesVerified());
    assertThat(report.physicalBytesBefore()).isGreaterThanOrEqualTo(3 * report.logicalBytes());
    assertThat(report.physicalBytesAfter()).isLessThan(report.physicalBytesBefore());
    assertThat(report.effectiveReplication())
        .isEqualTo((double) report.physicalBytesAfter() / report.logicalBytes());
    assertThat(report.effectiveReplicationRaided()).isCloseTo(OVERHEAD_OF_RS_3_2, within(0.35));

    assertThat(report.blocksLost()).isPositive().isEqualTo(report.blocksRepaired());
    assertThat(report.detectedBy()).containsOnlyKeys("NAMENODE", "READ", "DATANODE_CHECKSUM");
    assertThat(report.detectedBy().values().stream().mapToInt(Integer::intValue).sum())
        .isEqualTo(report.blocksLost());
    assertThat(report.repairs()).containsKeys(1, 2);
    assertThat(report.bytesReadForRepair())
        .isEqualTo(
            report.repairs().values().stream().mapToLong(DemoReport.Repairs::bytesRead).sum())
        .isPositive();
    assertThat(report.filesReadDegraded()).isPositive();
    assertThat(report.filesDamaged()).isZero();
    assertThat(out.toString()).contains("Nothing was lost").doesNotContain("[FAIL]");
    assertThat(err.toString()).isEmpty();
    assertThat(workspaces()).as("temporary directories").isEqualTo(workspaces);
  }

  private static long workspaces() throws IOException {
    try (Stream<Path> entries = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return entries
          .filter(path -> path.getFileName().toString().startsWith("hdfs-raid-demo-"))
          .count();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--codec,     rs-1,      'There is no codec rs-1'",
    "--codec,     rs-1,      'rs-K-M, xor-K-1, lrc-xorbas-10-6, lrc-azure-K-L-G'",
    "--codec,     rs-200-20, 'at most 128'",
    "--datanodes, 13,        'a stripe of rs-10-4 has 14 units'",
    "--datanodes, 1000,      'at most 128'",
    "--datanodes, many,      'many'",
    "--data,      /no/such,  '/no/such does not exist'",
    "--data,      pom.xml,   'pom.xml is not a directory'",
    "--json,      /no/such/report.json, 'cannot be written'",
    "--json,      target,    'target cannot be written'",
    "--what,      ever,      '--what'"
  })
  void badInputIsOneLineAndNothingIsStarted(String option, String value, String complaint) {
    assertThat(demo(option, value)).isEqualTo(2);
    assertThat(err.toString()).contains(complaint).hasLineCount(1);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void anEmptyDirectoryHasNothingToShow() {
    assertThat(demo("--data", directory.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("holds no file with content").hasLineCount(1);
  }
}
