// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.bench.read;

import io.hdfsraid.bench.cluster.BenchCluster;
import io.hdfsraid.bench.raid.RaidRun;
import io.hdfsraid.bench.table.TableFormat;
import io.hdfsraid.erasurecode.ErasureCodec;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Writes the files of all rivals, raids those of the codecs, and makes some lose blocks. */
final class ReadFiles {
  private static final int BUFFER = 1 << 20;
  private static final short REPLICATION = 3;

  private final BenchCluster cluster;
  private final Clock clock;
  private final FileContent content;
  private final BlockLosses losses;

  ReadFiles(BenchCluster cluster, Clock clock, FileContent content) {
    this.cluster = cluster;
    this.clock = clock;
    this.content = content;
    this.losses = new BlockLosses(cluster.hdfs());
  }

  /** Returns a file with three replicas. */
  Rival plain() throws IOException {
    Path file = new Path("/plain/healthy");
    write(List.of(file), length(1));
    Map<TableFormat, ReadFile> tables = new HashMap<>();
    for (Map.Entry<TableFormat, Path> table : tables(file.getParent()).entrySet()) {
      long length = cluster.hdfs().fileSystem().getFileStatus(table.getValue()).getLen();
      tables.put(table.getKey(), ReadFile.healthy(table.getValue(), length));
    }
    return new Rival(
        "plain", ReadClient.plain(cluster), ReadFile.healthy(file, length(1)), List.of(), tables);
  }

  /** Returns files that are raided; all but one have then lost a block of each stripe. */
  Rival raided(ErasureCodec codec) throws IOException {
    Path directory = new Path("/" + codec.name());
    Path healthy = new Path(directory, "healthy");
    List<Path> lost =
        IntStream.range(0, cluster.settings().files())
            .mapToObj(file -> new Path(directory, "lost-" + file))
            .toList();
    List<Path> all = new ArrayList<>(lost);
    all.add(healthy);
    int dataUnits = codec.shape().dataUnits();
    write(all, length(dataUnits));
    Map<TableFormat, Path> tables = tables(directory);
    all.addAll(tables.values());
    Map<TableFormat, ReadFile> degradedTables = new HashMap<>();
    List<ReadFile> degraded = new ArrayList<>();
    try (RaidRun raid = new RaidRun(cluster, codec, clock)) {
      RaidRun.Result unused = raid.run(all);
      cluster.awaitDeletions();
      for (Path file : lost) {
        degraded.add(losses.ofRaided(file, raid.stripes(file)));
      }
      for (Map.Entry<TableFormat, Path> table : tables.entrySet()) {
        Path file = table.getValue();
        degradedTables.put(table.getKey(), losses.ofRaided(file, raid.stripes(file)));
      }
    }
    return new Rival(
        codec.name(),
        ReadClient.raid(cluster),
        ReadFile.healthy(healthy, length(dataUnits)),
        degraded,
        degradedTables);
  }

  /** Returns two files of HDFS's own erasure coding; one has then lost a block of each group. */
  Rival striped(StripedPolicy policy) throws IOException {
    Path directory = new Path("/" + policy.label());
    policy.apply(cluster.hdfs().fileSystem(), directory);
    Path healthy = new Path(directory, "healthy");
    Path lost = new Path(directory, "lost");
    long length = length(policy.shape().dataUnits());
    write(List.of(healthy, lost), length);
    Map<TableFormat, ReadFile> tables = new HashMap<>();
    for (Map.Entry<TableFormat, Path> table : tables(directory).entrySet()) {
      tables.put(table.getKey(), losses.ofStriped(table.getValue(), policy));
    }
    return new Rival(
        policy.label(),
        ReadClient.plain(cluster),
        ReadFile.healthy(healthy, length),
        List.of(losses.ofStriped(lost, policy)),
        tables);
  }

  /** Writes the same table in each format, whatever is to protect it. */
  private Map<TableFormat, Path> tables(Path directory) throws IOException {
    long bytes = length(1);
    Map<TableFormat, Path> tables = new LinkedHashMap<>();
    List<Callable<Void>> writes = new ArrayList<>();
    for (TableFormat format : TableFormat.ALL) {
      Path file = new Path(directory, "table." + format.extension());
      tables.put(format, file);
      writes.add(
          () -> {
            format.write(
                cluster.hdfs().fileSystem(),
                file,
                REPLICATION,
                cluster.settings().blockBytes(),
                bytes);
            return null;
          });
    }
    cluster.crew().run(writes);
    return tables;
  }

  /** Returns the bytes of as many whole stripes as fit into the blocks that were asked for. */
  private long length(int dataUnits) {
    long stripes = Math.max(1, cluster.settings().blocks() / dataUnits);
    return stripes * dataUnits * cluster.settings().blockBytes();
  }

  private void write(List<Path> files, long length) throws IOException {
    List<Callable<Void>> writes = new ArrayList<>();
    for (Path file : files) {
      writes.add(
          () -> {
            write(file, length);
            return null;
          });
    }
    cluster.crew().run(writes);
  }

  private void write(Path file, long length) throws IOException {
    DistributedFileSystem fs = cluster.hdfs().fileSystem();
    try (OutputStream out =
        fs.create(file, true, BUFFER, REPLICATION, cluster.settings().blockBytes())) {
      content.write(file, length, out);
    }
  }

  /** Returns when the NameNode knows what is lost, and all files have been read and compared. */
  void settle(List<Rival> rivals) throws IOException {
    losses.report();
    for (Rival rival : rivals) {
      try (FileSystem fs = rival.client().connect()) {
        compare(fs, rival.healthy());
        for (ReadFile file : rival.lost()) {
          compare(fs, file);
        }
      }
    }
  }

  private void compare(FileSystem fs, ReadFile file) throws IOException {
    WholeRead read = new WholeRead(fs, file);
    long length =
        read.run((position, bytes, count) -> content.check(file.path(), position, bytes, count));
    if (length != file.length()) {
      throw new IOException(
          "%s has %d bytes, but %d were read".formatted(file.path(), file.length(), length));
    }
  }
}
