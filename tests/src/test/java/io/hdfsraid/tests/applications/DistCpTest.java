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
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.tools.DistCpOptions;
import org.apache.hadoop.tools.DistCpOptions.FileAttribute;
import org.apache.hadoop.tools.mapred.CopyMapper.Counter;
import org.apache.hadoop.tools.util.DistCpUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * DistCp copies a damaged directory, and compares the checksums of each file and its copy. DistCp
 * takes a checksum that it cannot get for an equal one, and logs an error.
 */
@Tag("full")
class DistCpTest {
  private static final Map<String, byte[]> CONTENTS = new TreeMap<>();
  private static DegradedHdfs hdfs;

  @TempDir java.nio.file.Path folder;

  @BeforeAll
  static void loseBlocks() throws IOException {
    hdfs = new DegradedHdfs();
    List<String> paths = List.of("/source/file1", "/source/file2", "/source/file3");
    for (String path : paths) {
      int blocks = 3 + CONTENTS.size();
      CONTENTS.put(new Path(path).getName(), hdfs.load(path, blocks * DegradedHdfs.BLOCK - 17));
    }
    hdfs.raid("rs-3-2", paths);
    for (String path : paths) {
      hdfs.destroy(path);
    }
  }

  @AfterAll
  static void stop() {
    hdfs.close();
  }

  /** What DistCp has counted, and what it could not compare. */
  private record Copied(Counters counters, List<String> notCompared) {
    long count(Counter counter) {
      return counters.findCounter(counter).getValue();
    }
  }

  /** Runs {@code distcp -update -pbc /source <target>}. */
  private Copied copy(Configuration conf, String target) throws Exception {
    Configuration job = new Configuration(conf);
    job.set("mapreduce.framework.name", "local");
    job.set("hadoop.tmp.dir", folder.toString());
    DistCpOptions options =
        new DistCpOptions.Builder(List.of(hdfs.path("/source")), hdfs.path(target))
            .withSyncFolder(true)
            .preserve(FileAttribute.BLOCKSIZE)
            .preserve(FileAttribute.CHECKSUMTYPE)
            .build();
    Logger log = (Logger) LoggerFactory.getLogger(DistCpUtils.class);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    log.addAppender(lines);
    log.setLevel(Level.ERROR);
    try {
      Counters counters = new DistCp(job, options).execute().getCounters();
      return new Copied(
          counters, lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList());
    } finally {
      log.setLevel(null);
      log.detachAppender(lines);
    }
  }

  private static void assertWhole(String target) throws IOException {
    for (Map.Entry<String, byte[]> file : CONTENTS.entrySet()) {
      assertThat(hdfs.bytes(target + "/" + file.getKey()))
          .as(file.getKey())
          .isEqualTo(file.getValue());
    }
  }

  @Test
  void aDirectoryIsCopiedThroughLossesWithChecksumsCompared() throws Exception {
    Copied first = copy(hdfs.withDegradedReads(), "/copy");

    assertThat(first.count(Counter.COPY)).isEqualTo(CONTENTS.size());
    assertThat(first.notCompared()).isEmpty();
    assertWhole("/copy");
  }

  @Test
  void anAlteredCopyIsNoticedByTheChecksumOfItsDamagedSource() throws Exception {
    Copied unused = copy(hdfs.withDegradedReads(), "/altered");
    byte[] other = CONTENTS.get("file2").clone();
    other[other.length / 2] ^= 1;
    hdfs.store("/altered/file2", other);

    Copied again = copy(hdfs.withDegradedReads(), "/altered");

    assertThat(again.count(Counter.COPY)).as("copied").isEqualTo(1);
    assertThat(again.count(Counter.SKIP)).as("left, as equal").isEqualTo(CONTENTS.size() - 1L);
    assertThat(again.notCompared()).isEmpty();
    assertWhole("/altered");
  }

  @Test
  void plainHdfsCopiesNothingAndComparesNothing() throws Exception {
    assertThatThrownBy(() -> copy(hdfs.plain(), "/nothing")).isInstanceOf(IOException.class);

    Copied unused = copy(hdfs.withDegradedReads(), "/whole");
    assertThat(copy(hdfs.plain(), "/whole").notCompared()).hasSameSizeAs(CONTENTS.keySet());
  }
}
