// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidapi.FileState;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a former version has written: the storage of an HDFS with a raided file, and the catalog of
 * the daemon that has raided it. The folder {@code formats} has one for each version, which {@code
 * -Dgolden.write=VERSION} adds.
 */
@Tag("full")
class UpgradeTest {
  private static final Path FORMATS = Path.of("src/test/resources/formats");
  private static final int NODES = 6;
  private static final int RACKS = 3;
  private static final int BLOCK = 64 << 10;
  private static final String FILE = "/warehouse/numbers.txt";

  /** Compresses well, and so does its parity. */
  private static final byte[] CONTENT =
      IntStream.range(0, 48_000)
          .mapToObj(i -> "%06d ".formatted(i / 1_000))
          .collect(Collectors.joining())
          .getBytes(UTF_8);

  @TempDir Path folder;

  static Stream<Path> versions() throws IOException {
    try (Stream<Path> all = Files.list(FORMATS)) {
      return all.filter(file -> file.toString().endsWith(".zip")).sorted().toList().stream();
    }
  }

  private EmbeddedHdfs hdfs() throws IOException {
    return EmbeddedHdfs.builder()
        .directory(folder.resolve("hdfs"))
        .keepExisting()
        .dataNodes(NODES)
        .racks(RACKS)
        .blockSize(BLOCK)
        .start();
  }

  private Path conf() throws IOException {
    return new QuietDaemon(folder.resolve("conf")).with("repair: {delay: 0s}\n");
  }

  @ParameterizedTest
  @MethodSource("versions")
  void theDaemonGoesOnWithWhatAFormerVersionHasWritten(Path version) throws Exception {
    try (FileSystem zip = FileSystems.newFileSystem(version)) {
      copy(zip.getPath("/"), folder);
    }
    try (EmbeddedHdfs hdfs = hdfs()) {
      LocatedBlock first =
          hdfs.fileSystem().getClient().getLocatedBlocks(FILE, 0).getLocatedBlocks().get(0);
      assertThat(first.getLocations()).as("raided").hasSize(1);
      int node = hdfs.dataNodeAt(first.getLocations()[0].getXferAddr()).index();
      hdfs.deleteReplica(first.getBlock().getBlockId(), node);
      hdfs.runDirectoryScanner(node);
      hdfs.triggerBlockReports();

      try (InProcessDaemon daemon = InProcessDaemon.start(conf(), hdfs)) {
        assertThat(daemon.run(0, "history", FILE).out()).contains("raided");
        daemon.runJob("integrity-check");
        assertThat(daemon.ask("fsck", FILE).out()).contains("DEGRADED");
        daemon.run(0, "repair", FILE, "--yes", "--wait");
        Until.holds(
            () -> daemon.ask("fsck", FILE).out().contains("HEALTHY"),
            () -> daemon.ask("fsck", FILE).toString());
        try (InputStream in = hdfs.fileSystem().open(new org.apache.hadoop.fs.Path(FILE))) {
          assertThat(in.readAllBytes()).isEqualTo(CONTENT);
        }
        daemon.run(0, "unraid", FILE, "--yes", "--wait");
        daemon.awaitState("/warehouse", 0, FileState.RAIDED);
      }
    }
  }

  @Test
  @EnabledIfSystemProperty(named = "golden.write", matches = ".+")
  void write() throws Exception {
    Path target =
        Files.createDirectories(FORMATS).resolve(System.getProperty("golden.write") + ".zip");
    try (EmbeddedHdfs hdfs = hdfs()) {
      try (OutputStream out =
          hdfs.fileSystem()
              .create(new org.apache.hadoop.fs.Path(FILE), true, 4096, (short) 3, BLOCK)) {
        out.write(CONTENT);
      }
      try (InProcessDaemon daemon = InProcessDaemon.start(conf(), hdfs)) {
        daemon.runJob("scan");
        daemon.run(0, "raid", FILE, "--yes", "--wait");
        daemon.awaitState("/warehouse", 1, FileState.RAIDED);
      }
    }
    Files.deleteIfExists(target);
    try (FileSystem zip = FileSystems.newFileSystem(target, Map.of("create", "true"))) {
      for (String each : List.of("hdfs", "catalog")) {
        copy(folder.resolve(each), Files.createDirectory(zip.getPath("/", each)));
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> below = Files.walk(from)) {
      for (Path each : below.filter(file -> !file.equals(from)).toList()) {
        Path copy = to.resolve(from.relativize(each).toString());
        if (Files.isDirectory(each)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(each, copy);
        }
      }
    }
  }
}
