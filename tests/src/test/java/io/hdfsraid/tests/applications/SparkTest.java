// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.applications;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.tests.applications.ApplicationProcess.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark asks questions about a table of Parquet and of JSON that lost as many blocks as its code
 * tolerates, by configuration only.
 */
@Tag("full")
class SparkTest {
  private static final Path JARS = Path.of("..", "applications", "spark", "target", "jars");
  private static final String JOB = "io.hdfsraid.applications.spark.TableJob";
  private static final String TABLE = "/sales";

  /** The options of Java that Spark's own scripts set, as far as the job needs them. */
  private static final List<String> OPTIONS =
      Stream.of(
              "java.lang",
              "java.lang.invoke",
              "java.lang.reflect",
              "java.io",
              "java.net",
              "java.nio",
              "java.util",
              "java.util.concurrent",
              "java.util.concurrent.atomic",
              "sun.nio.ch",
              "sun.nio.cs",
              "sun.security.action",
              "sun.util.calendar")
          .map("--add-opens=java.base/%s=ALL-UNNAMED"::formatted)
          .toList();

  private static DegradedHdfs hdfs;
  private static List<String> answers;

  @TempDir static Path folder;

  @BeforeAll
  static void loseBlocks() throws Exception {
    hdfs = new DegradedHdfs();
    Outcome written = run(hdfs.plain(), "write");
    assertThat(written.exitCode()).as(written.text()).isZero();
    answers = answers(run(hdfs.plain(), "ask"));
    assertThat(answers).hasSize(4);
    List<String> files = new ArrayList<>(parts("parquet"));
    files.addAll(parts("json"));
    assertThat(files).hasSize(4);
    hdfs.raid("rs-6-3", files);
    for (String file : files) {
      hdfs.destroy(file);
    }
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static Outcome run(Configuration conf, String what) throws Exception {
    return new ApplicationProcess(
            JARS, folder.resolve(what + System.identityHashCode(conf)), OPTIONS)
        .run(DegradedHdfs.forOtherReleases(conf), JOB, List.of(what, TABLE));
  }

  private static List<String> answers(Outcome outcome) {
    return outcome.text().lines().filter(line -> line.startsWith("ANSWER ")).toList();
  }

  private static List<String> parts(String format) throws IOException {
    List<String> parts = new ArrayList<>();
    for (FileStatus file : hdfs.list(TABLE + "/" + format)) {
      if (file.getPath().getName().startsWith("part-")) {
        assertThat(file.getLen()).as("%s", file).isGreaterThan(2 * DegradedHdfs.BLOCK);
        parts.add(file.getPath().toUri().getPath());
      }
    }
    return parts;
  }

  @Test
  void theAnswersAreThoseOfTheTableBeforeItWasDamaged() throws Exception {
    Outcome degraded = run(hdfs.withDegradedReads(), "ask");
    assertThat(degraded.exitCode()).as(degraded.text()).isZero();
    assertThat(answers(degraded)).as(degraded.text()).isEqualTo(answers);
  }

  @Test
  void plainHdfsHasNoAnswers() throws Exception {
    Outcome plain = run(hdfs.plain(), "ask");
    assertThat(plain.exitCode()).isNotZero();
    assertThat(answers(plain)).as(plain.text()).isEmpty();
  }
}
