// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.applications;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.tests.applications.ApplicationProcess.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * TeraSort of Hadoop's examples, on YARN and on the class path of an installed Hadoop. What TeraGen
 * writes is raided and damaged before it is sorted.
 */
@Tag("full")
class TeraSortTest {
  private static final Path JARS = Path.of("..", "applications", "hadoop", "target", "jars");
  private static final String TOOLS = "org.apache.hadoop.examples.terasort.";
  private static final int ROWS = 20_000;
  private static final int ROW = 100;
  private static final int KEY = 10;

  /** In two files of 8 blocks each, so two stripes of rs-6-3 in each. */
  private static final List<String> INPUT =
      List.of("/tera/in/part-m-00000", "/tera/in/part-m-00001");

  private static DegradedHdfs hdfs;
  private static List<String> generated;

  @TempDir static Path folder;

  @BeforeAll
  static void loseBlocks() throws Exception {
    hdfs = new DegradedHdfs();
    assertSucceeds(hdfs.plain(), "TeraGen", "-Dmapreduce.job.maps=2", "" + ROWS, "/tera/in");
    generated = rows(text(INPUT.get(0)) + text(INPUT.get(1)));
    assertThat(generated).hasSize(ROWS);
    hdfs.raid("rs-6-3", INPUT);
    for (String part : INPUT) {
      hdfs.destroy(part);
    }
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static Outcome run(Configuration conf, String tool, String... arguments)
      throws Exception {
    List<String> all = new ArrayList<>(List.of(TOOLS + tool));
    all.addAll(List.of(arguments));
    Path own = folder.resolve(tool + System.identityHashCode(all));
    return new ApplicationProcess(JARS, own, List.of())
        .run(DegradedHdfs.forOtherReleases(conf), ToolOnYarn.class, all);
  }

  private static void assertSucceeds(Configuration conf, String tool, String... arguments)
      throws Exception {
    Outcome outcome = run(conf, tool, arguments);
    assertThat(outcome.exitCode()).as(outcome.text()).isZero();
  }

  @Test
  void whatWasDamagedIsSortedWhole() throws Exception {
    assertSucceeds(
        hdfs.withDegradedReads(),
        "TeraSort",
        "-Dmapreduce.job.reduces=2",
        // Of four blocks each: a task is a process, and one for each block would take long.
        "-Dmapreduce.input.fileinputformat.split.minsize=" + 4 * DegradedHdfs.BLOCK,
        "/tera/in",
        "/tera/out");
    assertSucceeds(hdfs.plain(), "TeraValidate", "/tera/out", "/tera/report");

    assertThat(text("/tera/report/part-r-00000"))
        .as("TeraValidate reports the checksum and no mistakes")
        .startsWith("checksum\t")
        .hasLineCount(1);
    assertThat(rows(text("/tera/out/part-r-00000") + text("/tera/out/part-r-00001")))
        .isEqualTo(generated.stream().sorted(Comparator.comparing(TeraSortTest::key)).toList());
  }

  @Test
  void plainHdfsCannotSortIt() throws Exception {
    assertThat(run(hdfs.plain(), "TeraSort", "/tera/in", "/tera/none").exitCode()).isNotZero();
  }

  /** Returns each byte of a file as a character. */
  private static String text(String path) throws IOException {
    return new String(hdfs.bytes(path), StandardCharsets.ISO_8859_1);
  }

  private static List<String> rows(String text) {
    List<String> rows = new ArrayList<>();
    for (int at = 0; at < text.length(); at += ROW) {
      rows.add(text.substring(at, at + ROW));
    }
    return rows;
  }

  private static String key(String row) {
    return row.substring(0, KEY);
  }
}
