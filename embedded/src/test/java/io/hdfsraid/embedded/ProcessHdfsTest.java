// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessHdfsTest {
  @Test
  @Tag("full")
  void nodesAreProcessesThatCanBeKilledAndComeBack(@TempDir Path directory) throws Exception {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/file");
    byte[] bytes = new byte[3 << 20];
    new Random(1).nextBytes(bytes);
    List<ProcessHandle> children;
    try (ProcessHdfs hdfs =
        ProcessHdfs.builder()
            .dataNodes(2)
            .racks(2)
            .withBlockTokens()
            .deadAfter(Duration.ofSeconds(11))
            .directory(directory)
            .start()) {
      children = ProcessHandle.current().children().toList();
      assertThat(children).hasSizeGreaterThanOrEqualTo(3);
      assertThat(hdfs.confDirectory()).isDirectoryContaining("glob:**/core-site.xml");

      // A client that has nothing but the configuration directory.
      Configuration conf = new Configuration(hdfs.configuration());
      try (FileSystem client = FileSystem.newInstance(conf);
          FSDataOutputStream out = client.create(path, (short) 2)) {
        assertThat(client.getUri()).isEqualTo(hdfs.uri());
        out.write(bytes);
      }
      assertThat(live(hdfs.fileSystem()))
          .extracting(DatanodeInfo::getNetworkLocation)
          .containsExactlyInAnyOrder("/rack0", "/rack1");

      hdfs.killDataNode(0);
      assertThat(hdfs.isRunning(0)).isFalse();
      assertThat(read(hdfs, path)).isEqualTo(bytes);
      eventually(() -> live(hdfs.fileSystem()).size() == 1);
      eventually(() -> locations(hdfs, path).equals(List.of(hdfs.xferAddress(1))));

      String address = hdfs.xferAddress(0);
      hdfs.restartDataNode(0);
      assertThat(hdfs.xferAddress(0)).isEqualTo(address);
      eventually(() -> locations(hdfs, path).size() == 2);

      hdfs.killNameNode();
      hdfs.restartNameNode();
      assertThat(live(hdfs.fileSystem())).hasSize(2);
      assertThat(read(hdfs, path)).isEqualTo(bytes);
    }
    assertThat(children).noneMatch(ProcessHandle::isAlive);
    assertThat(directory.resolve("logs")).isNotEmptyDirectory();
  }

  @Test
  void aNodeThatCannotStartIsToldWithItsLog() throws IOException {
    assertThatThrownBy(
            () -> ProcessHdfs.builder().dataNodes(1).set("dfs.blocksize", "12 apples").start())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("The namenode ended with exit code")
        .hasMessageContaining("12 apples");
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  private static byte[] read(ProcessHdfs hdfs, org.apache.hadoop.fs.Path path) throws IOException {
    try (FSDataInputStream in = hdfs.fileSystem().open(path)) {
      return in.readAllBytes();
    }
  }

  private static List<DatanodeInfo> live(DistributedFileSystem fileSystem) throws IOException {
    return List.of(fileSystem.getDataNodeStats(DatanodeReportType.LIVE));
  }

  private static List<String> locations(ProcessHdfs hdfs, org.apache.hadoop.fs.Path path)
      throws IOException {
    BlockLocation first = hdfs.fileSystem().getFileBlockLocations(path, 0, 1)[0];
    return List.of(first.getNames());
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void eventually(Condition condition) throws Exception {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(end);
      Thread.sleep(50);
    }
  }
}
