// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.applications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.slf4j.LoggerFactory;

/** The libraries of Parquet and ORC read their files through losses, all columns or one. */
@Tag("full")
class ColumnarFormatsTest {
  static final List<ColumnarFormat> FORMATS =
      List.of(new Parquet(true), new Parquet(false), new Orc());

  /** In either format about 14 blocks, so five stripes of rs-3-2. */
  private static final List<Row> ROWS = Row.random(40_000);

  private static final String PARQUET = "/table.parquet";
  private static final String ORC = "/table.orc";

  private static DegradedHdfs hdfs;

  @BeforeAll
  static void loseBlocks() throws IOException {
    hdfs = new DegradedHdfs();
    new Parquet(true).write(hdfs.path(PARQUET), hdfs.plain(), ROWS);
    new Orc().write(hdfs.path(ORC), hdfs.plain(), ROWS);
    hdfs.raid("rs-3-2", List.of(PARQUET, ORC));
    hdfs.destroy(PARQUET);
    hdfs.destroy(ORC);
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  private static Path file(ColumnarFormat format) {
    return hdfs.path(format instanceof Orc ? ORC : PARQUET);
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void allRowsAreReadThroughLosses(ColumnarFormat format) throws IOException {
    assertThat(format.read(file(format), hdfs.withDegradedReads())).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @FieldSource("FORMATS")
  void oneColumnIsReadThroughLosses(ColumnarFormat format) throws IOException {
    assertThat(format.readAmounts(file(format), hdfs.withDegradedReads()))
        .isEqualTo(ROWS.stream().map(Row::amount).toList());
  }

  @Tag("full")
  @ParameterizedTest
  @FieldSource("FORMATS")
  void plainHdfsReadsNeitherAllColumnsNorOne(ColumnarFormat format) {
    assertThatThrownBy(() -> format.read(file(format), hdfs.plain()))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> format.readAmounts(file(format), hdfs.plain()))
        .isInstanceOf(IOException.class);
  }

  /** Only its log tells whether Parquet asked for several ranges at once. */
  @Test
  void parquetsVectoredReadsGoThroughLosses() throws IOException {
    Logger log = (Logger) LoggerFactory.getLogger(ParquetFileReader.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    log.setLevel(Level.DEBUG);
    try {
      Parquet format = new Parquet(true);
      assertThat(format.read(file(format), hdfs.withDegradedReads())).hasSameSizeAs(ROWS);
    } finally {
      log.setLevel(null);
      log.detachAppender(lines);
    }
    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .anyMatch(line -> line.contains("with vectored IO"))
        .noneMatch(line -> line.contains("readVectored() failed"));
  }
}
