// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.rescue.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

class WorkspaceTest {
  @Test
  void theNextWorkspaceRemovesThoseOfTheDeadAndOnlyThose() throws IOException {
    Path dead = Files.createTempDirectory("hdfs-raid-demo-");
    Files.createFile(dead.resolve("in-use"));
    Files.createDirectories(dead.resolve("hdfs/data"));
    Files.writeString(dead.resolve("hdfs/data/block"), "bytes");
    Path strange = Files.createTempDirectory("hdfs-raid-demo-");
    Path alive = Files.createTempDirectory("hdfs-raid-demo-");
    try (FileChannel lock =
        FileChannel.open(
            alive.resolve("in-use"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      lock.lock();
      try (Workspace mine = Workspace.create("demo")) {
        assertThat(dead).doesNotExist();
        assertThat(alive).exists();
        assertThat(strange).as("without our lock file").exists();
        try (Workspace another = Workspace.create("demo")) {
          assertThat(mine.directory("still")).exists();
          assertThat(another.directory("own")).exists();
        }
        assertThat(mine.directory("still")).exists();
      }
    } finally {
      Files.deleteIfExists(alive.resolve("in-use"));
      Files.deleteIfExists(alive);
      Files.deleteIfExists(strange);
    }
  }

  @Test
  void whatLibrariesUnpackIsRemovedWithIt() throws IOException {
    String before = System.getProperty("java.io.tmpdir");
    Path unpacked;
    try (Workspace workspace = Workspace.create("demo")) {
      unpacked = Path.of(System.getProperty("java.io.tmpdir")).resolve("jetty-1");
      Files.createDirectory(unpacked);
      assertThat(unpacked).startsWith(workspace.file("tmp"));
    }
    assertThat(unpacked).doesNotExist();
    assertThat(System.getProperty("java.io.tmpdir")).isEqualTo(before);
    Path after = File.createTempFile("after", null).toPath();
    Files.delete(after);
    assertThat(after.getParent()).as("Java remembers its first one").isEqualTo(Path.of(before));
  }
}
