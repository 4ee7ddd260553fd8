// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.applications;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The commands of {@code hdfs dfs} do on damaged files what they did before the damage. */
class FsShellTest {
  /** Commands that read what was lost. */
  static final List<String> READING =
      List.of(
          "-cat /files/bytes /files/lines.gz",
          "-head /files/bytes",
          "-tail /files/bytes",
          "-text /files/lines.gz",
          "-checksum /files/bytes /files/lines.gz");

  /** Commands that ask the NameNode only. */
  static final List<String> LISTING =
      List.of(
          "-ls -R /files", "-du /files", "-du -s /files", "-count /files", "-test -s /files/bytes");

  private static final int BYTES = 7 * DegradedHdfs.BLOCK - 13;
  private static final int LINES = 9_000;
  private static final int FAILED = 1;

  /**
   * What a command has done.
   *
   * @param output each byte as a character
   */
  record Outcome(int exitCode, String output) {}

  private static final Map<String, Outcome> BEFORE = new HashMap<>();
  private static DegradedHdfs hdfs;
  private static byte[] bytes;
  private static byte[] lines;

  @TempDir Path folder;

  @BeforeAll
  static void loseBlocks() throws Exception {
    hdfs = new DegradedHdfs();
    bytes = hdfs.load("/files/bytes", BYTES);
    lines = compressedLines(hdfs.load("/seed", 32 * LINES));
    hdfs.store("/files/lines.gz", lines);
    hdfs.raid("rs-3-2", List.of("/files/bytes", "/files/lines.gz"));
    for (String command : READING) {
      BEFORE.put(command, run(hdfs.plain(), command));
    }
    for (String command : LISTING) {
      BEFORE.put(command, run(hdfs.plain(), command));
    }
    for (String path : List.of("/files/bytes", "/files/lines.gz")) {
      hdfs.destroy(path);
    }
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static byte[] compressedLines(byte[] random) throws IOException {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(compressed)) {
      for (int at = 0; at < random.length; at += 32) {
        String line = HexFormat.of().formatHex(random, at, at + 32) + "\n";
        out.write(line.getBytes(StandardCharsets.US_ASCII));
      }
    }
    return compressed.toByteArray();
  }

  private static Outcome run(Configuration conf, String command) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = System.out;
    FsShell shell = new FsShell(conf);
    try {
      System.setOut(new PrintStream(printed, true, StandardCharsets.ISO_8859_1));
      int exitCode = ToolRunner.run(conf, shell, command.split(" ", -1));
      return new Outcome(exitCode, printed.toString(StandardCharsets.ISO_8859_1));
    } finally {
      System.setOut(out);
      shell.close();
    }
  }

  @ParameterizedTest
  @FieldSource({"READING", "LISTING"})
  void aCommandPrintsWhatItPrintedBeforeBlocksWereLost(String command) throws Exception {
    assertThat(BEFORE.get(command).exitCode()).isZero();

    assertThat(run(hdfs.withDegradedReads(), command)).isEqualTo(BEFORE.get(command));
  }

  @Tag("full")
  @ParameterizedTest
  @FieldSource("READING")
  void theSameCommandFailsOnPlainHdfs(String command) throws Exception {
    assertThat(run(hdfs.plain(), command).exitCode()).isEqualTo(FAILED);
  }

  @Test
  void getBringsAllBytes() throws Exception {
    Path file = folder.resolve("bytes");

    assertThat(run(hdfs.withDegradedReads(), "-get /files/bytes " + file).exitCode()).isZero();

    assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
  }

  @Test
  void getmergeBringsAllFiles() throws Exception {
    Path file = folder.resolve("merged");

    assertThat(run(hdfs.withDegradedReads(), "-getmerge /files " + file).exitCode()).isZero();

    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.write(bytes);
    both.write(lines);
    assertThat(Files.readAllBytes(file)).isEqualTo(both.toByteArray());
  }

  @Test
  void cpMakesAWholeCopyWithTheChecksumOfItsSource() throws Exception {
    assertThat(run(hdfs.withDegradedReads(), "-cp /files/bytes /copy").exitCode()).isZero();

    assertThat(hdfs.bytes("/copy")).isEqualTo(bytes);
    String source = run(hdfs.withDegradedReads(), "-checksum /files/bytes").output();
    assertThat(run(hdfs.plain(), "-checksum /copy").output())
        .isEqualTo(source.replace("/files/bytes", "/copy"));
  }
}
