// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Files that nobody has used since 2022, and what is in them. */
public final class ColdFiles {
  private static final long LONG_AGO = Instant.parse("2022-01-01T00:00:00Z").toEpochMilli();

  private final FileSystem fileSystem;

  /** Maps each path to the seed of its bytes. */
  private final SortedMap<String, Integer> files;

  private final int block;

  private ColdFiles(FileSystem fileSystem, SortedMap<String, Integer> files, int block) {
    this.fileSystem = fileSystem;
    this.files = files;
    this.block = block;
  }

  /**
   * Writes files, each into a directory of its own.
   *
   * @param block size of a block
   * @param mostBlocks they have 3 blocks, 4 blocks, and so on, but not more
   */
  public static ColdFiles write(
      FileSystem fileSystem, String top, int count, int block, int mostBlocks) throws IOException {
    ColdFiles cold = new ColdFiles(fileSystem, new TreeMap<>(), block);
    for (int i = 0; i < count; i++) {
      int blocks = 3 + i % (mostBlocks - 2);
      String name = "%s/day%d/file%d".formatted(top, i, blocks);
      cold.files.put(name, blocks);
      cold.write(new Path(name), name);
    }
    return cold;
  }

  /** Writes files of one block into one directory, all at once, so that they share parity. */
  static ColdFiles writeSmall(FileSystem fileSystem, String directory, int count, int block)
      throws IOException {
    ColdFiles cold = new ColdFiles(fileSystem, new TreeMap<>(), block);
    Path loading = new Path("/loading" + directory);
    for (int i = 0; i < count; i++) {
      String name = "file" + i;
      cold.files.put(directory + "/" + name, 1);
      cold.write(new Path(loading, name), directory + "/" + name);
    }
    assertThat(fileSystem.mkdirs(new Path(directory).getParent())).isTrue();
    assertThat(fileSystem.rename(loading, new Path(directory))).isTrue();
    return cold;
  }

  private void write(Path at, String name) throws IOException {
    try (OutputStream out = fileSystem.create(at)) {
      out.write(bytes(name));
    }
    fileSystem.setTimes(at, LONG_AGO, LONG_AGO);
  }

  /** Deletes one of the files. */
  void delete(String path) throws IOException {
    files.remove(path);
    assertThat(fileSystem.delete(new Path(path), false)).isTrue();
  }

  public byte[] bytes(String path) {
    byte[] bytes = new byte[files.get(path) * block - 17];
    new Random(path.hashCode()).nextBytes(bytes);
    return bytes;
  }

  public Set<String> paths() {
    return files.keySet();
  }

  public void assertWhole() throws IOException {
    for (String path : paths()) {
      try (FSDataInputStream in = fileSystem.open(new Path(path))) {
        assertThat(in.readAllBytes()).as(path).isEqualTo(bytes(path));
      }
    }
  }
}
