// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.hdfs.RealHdfs;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.embedded.EmbeddedHdfs;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Raided files on a real HDFS, a plain client and one that reads through losses, and ways to damage
 * what is read.
 */
@ExtendWith(RealHdfs.class)
abstract class RaidedFiles {
  static final String ROOT = "/raidfs";

  /** With 64 MiB of memory for degraded reads. */
  static final int LARGEST_WINDOW = 1 << 20;

  final int blockSize;

  /** Three stripes of rs-3-2; the last has two data units, the second of them short. */
  final byte[] bytes;

  /** The number of windows in which a whole block is rebuilt. */
  final int windows;

  final EmbeddedHdfs hdfs;
  final DistributedFileSystem plain;
  final HdfsNamespace namespace;
  HandRaider raider;
  DistributedRaidFileSystem drfs;

  RaidedFiles(int blockSize, EmbeddedHdfs hdfs) {
    this.blockSize = blockSize;
    this.bytes = RealHdfs.bytes(11, 7 * blockSize + 12_345);
    this.windows = blockSize > LARGEST_WINDOW ? 2 : 1;
    this.hdfs = hdfs;
    this.plain = hdfs.fileSystem();
    this.namespace = new HdfsNamespace(plain);
  }

  @BeforeEach
  void open() throws IOException {
    plain.delete(new Path("/files"), true);
    plain.delete(new Path(ROOT), true);
    raider = new HandRaider(hdfs, ROOT, "rs-3-2");
    drfs = drfs();
  }

  @AfterEach
  void close() throws IOException {
    drfs.close();
    raider.close();
  }

  Configuration configuration() {
    Configuration conf = hdfs.configuration();
    conf.set("fs.hdfs.impl", DistributedRaidFileSystem.class.getName());
    conf.set("fs.raid.impl", DistributedRaidFileSystem.class.getName());
    conf.set("fs.AbstractFileSystem.hdfs.impl", RaidFs.class.getName());
    conf.set("fs.AbstractFileSystem.raid.impl", RaidSchemeFs.class.getName());
    conf.set(DistributedRaidFileSystem.ROOT, ROOT);
    conf.setInt(ReadSettings.MEMORY, 64);
    // As if the files had so many blocks that HDFS's client refused to take their locations.
    conf.setInt("ipc.maximum.response.length", 2_000);
    // HDFS's client asks for blocks that it has not prefetched by name, whoever has the name then.
    conf.setLong("dfs.client.read.prefetch.size", bytes.length);
    return conf;
  }

  DistributedRaidFileSystem drfs() throws IOException {
    return (DistributedRaidFileSystem) FileSystem.newInstance(hdfs.uri(), configuration());
  }

  Path raided(String path) throws IOException {
    RealHdfs.write(plain, path, 1, blockSize, bytes);
    raider.raid(path);
    return new Path(path);
  }

  /**
   * Raided so that the first stripe bears the loss of the node with its unit 1; the data lies where
   * the NameNode put it, and nobody has spread it.
   */
  Path raidedApart(String path) throws IOException {
    return raidedApart(path, 1, 2);
  }

  /**
   * Raided so that the node with a data unit of the first stripe has not too many of its units.
   *
   * @param most at least 1: that unit itself
   */
  Path raidedApart(String path, int unit, int most) throws IOException {
    return raided(
        path,
        file -> {
          int node = node(block(file, unit));
          LocatedFile source = namespace.file(path).orElseThrow();
          LocatedFile parity = raider.store().find(source.inode()).orElseThrow().file();
          long together =
              Stream.concat(source.blocks().stream().limit(3), parity.blocks().stream().limit(2))
                  .filter(located -> node(located) == node)
                  .count();
          return together <= most;
        });
  }

  /** A condition on where the blocks of a file lie. */
  @FunctionalInterface
  interface Placement {
    boolean fits(Path file) throws IOException;
  }

  /** Raids a file as often as it takes for its blocks to lie as wanted. */
  Path raided(String path, Placement placement) throws IOException {
    while (true) {
      Path file = raided(path);
      if (placement.fits(file)) {
        return file;
      }
      plain.delete(file, false);
    }
  }

  /** The only replica of the block vanishes from the disk; nobody is told. */
  void lose(Path file, int index) throws IOException {
    LocatedBlock block = block(file, index);
    hdfs.deleteReplica(block.block().id(), node(block));
  }

  /** The only replica of the block holds zeros from now on, with checksums that fit them. */
  void forge(Path file, int index) throws IOException {
    Path zeros = new Path("/files/zeros");
    RealHdfs.write(plain, "/files/zeros", 1, blockSize, new byte[blockSize]);
    LocatedBlock forged = block(file, index);
    LocatedBlock other = block(zeros, 0);
    hdfs.forgeReplica(forged.block().id(), node(forged), other.block().id(), node(other));
  }

  LocatedBlock block(Path file, int index) throws IOException {
    LocatedFile state = namespace.file(file.toUri().getPath()).orElseThrow();
    return state.blocks().get(index);
  }

  int node(LocatedBlock block) {
    return hdfs.dataNodeAt(block.live().get(0).node().address()).index();
  }

  byte[] range(int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  void readAt(DistributedFileSystem fs, Path file, long at) throws IOException {
    try (FSDataInputStream in = fs.open(file)) {
      byte[] read = new byte[100];
      in.readFully(at, read);
      assertThat(read).isEqualTo(range((int) at, (int) at + read.length));
    }
  }

  byte[] readAs(String user, Path file) throws Exception {
    return RealHdfs.as(
        user,
        () -> {
          try (DistributedRaidFileSystem theirs = drfs();
              FSDataInputStream in = theirs.open(file)) {
            return in.readNBytes(100);
          }
        });
  }

  /** The NameNode counts a call a moment after it has answered it. */
  void assertCalls(Map<String, Long> before, Map<String, Long> expected) throws IOException {
    long count = expected.values().stream().mapToLong(Long::longValue).sum();
    RealHdfs.await("all calls are counted", () -> sum(callsSince(before)) >= count);
    assertThat(callsSince(before)).containsExactlyInAnyOrderEntriesOf(expected);
  }

  private static long sum(Map<String, Long> calls) {
    return calls.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Returns how often each method of the NameNode was called. */
  Map<String, Long> callsSince(Map<String, Long> before) {
    Map<String, Long> calls = new HashMap<>(hdfs.nameNodeCalls());
    before.forEach((method, count) -> calls.merge(method, -count, Long::sum));
    calls.values().removeIf(count -> count == 0);
    return calls;
  }
}
