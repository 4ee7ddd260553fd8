// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.applications;

import static java.util.Comparator.comparingInt;

import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.tests.journeys.Journey;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;

/**
 * An HDFS whose files are raided, and then lose as many units of every stripe as their code
 * tolerates. Has the two configurations that an application can have: for plain HDFS, and for HDFS
 * with degraded reads.
 */
final class DegradedHdfs implements AutoCloseable {
  static final int BLOCK = Journey.BLOCK;

  /**
   * Enough for rs-6-3, with a few nodes to spare: where it is crowded, placing units takes long.
   */
  private static final int NODES = 11;

  private static final List<String> SITE =
      List.of(
          "fs.defaultFS",
          "fs.hdfs.impl",
          "fs.AbstractFileSystem.hdfs.impl",
          "dfs.blocksize",
          "dfs.client.retry.window.base");

  private final Random random = new Random(2030);
  private final Journey journey;

  DegradedHdfs() throws IOException {
    journey = new Journey(NODES);
    journey.startDaemon(StepListener.NONE);
  }

  /** Returns the configuration of an application that knows nothing of us. */
  Configuration plain() {
    Configuration conf = journey.hdfs.configuration();
    // The cache goes by the URI: both configurations would share a file system.
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    return conf;
  }

  /** Returns the same configuration with the two lines of docs/degraded-reads.md. */
  Configuration withDegradedReads() {
    Configuration conf = plain();
    conf.set("fs.hdfs.impl", "io.hdfsraid.drfs.fs.DistributedRaidFileSystem");
    conf.set("fs.AbstractFileSystem.hdfs.impl", "io.hdfsraid.drfs.fs.RaidFs");
    return conf;
  }

  /**
   * Returns what stands in the {@code core-site.xml} of a machine without our HDFS: no settings of
   * servers, and no defaults, which may differ in the release that reads them.
   */
  static Configuration forOtherReleases(Configuration conf) {
    Configuration site = new Configuration(false);
    for (String key : SITE) {
      Optional.ofNullable(conf.get(key)).ifPresent(value -> site.set(key, value));
    }
    return site;
  }

  Path path(String path) {
    return new Path(journey.hdfs.uri() + path);
  }

  /** Loads a file of random bytes. */
  byte[] load(String path, int length) throws IOException {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    store(path, bytes);
    return bytes;
  }

  /** Loads a file, or replaces it. */
  void store(String path, byte[] bytes) throws IOException {
    try (OutputStream out = journey.hdfs.fileSystem().create(path(path))) {
      out.write(bytes);
    }
  }

  /** Reads a file by a plain client. */
  byte[] bytes(String path) throws IOException {
    try (FSDataInputStream in = journey.hdfs.fileSystem().open(path(path))) {
      return in.readAllBytes();
    }
  }

  /** Lists a directory by a plain client. */
  List<FileStatus> list(String path) throws IOException {
    return List.of(journey.hdfs.fileSystem().listStatus(path(path)));
  }

  /** Raids files, and returns when every block has one replica, and the NameNode knows it. */
  void raid(String codec, List<String> paths) throws IOException {
    List<Long> inodes = new ArrayList<>();
    for (String path : paths) {
      long inode = inode(path);
      journey.jobs().select().raider().raid(inode, new Protection(codec, 1, 1), "test");
      inodes.add(inode);
    }
    Journey.until(
        () -> {
          for (long inode : inodes) {
            journey.jobs().upkeep().reconciler().reconcile(inode, "test");
          }
          return paths.stream().allMatch(this::hasOneReplica);
        },
        () -> "%s to have one replica".formatted(paths));
  }

  private boolean hasOneReplica(String path) {
    try {
      return journey.stripes(inode(path)).stream()
          .flatMap(stripe -> stripe.units().stream())
          .flatMap(unit -> unit.located().stream())
          .allMatch(
              located ->
                  located.live().size() == 1
                      && journey.hdfs.replicasOnDisk(located.block().id()).size() == 1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long inode(String path) throws IOException {
    return journey.hdfs.fileSystem().getClient().getFileInfo(path).getFileId();
  }

  /**
   * Deletes as many data blocks of every stripe as its code tolerates, from the disks: among them
   * the first and the last one of the file, which hold what most formats begin and end with.
   */
  void destroy(String path) throws IOException {
    List<Long> inFileOrder =
        journey.cluster().access().namespace().file(inode(path)).orElseThrow().blocks().stream()
            .map(located -> located.block().id())
            .toList();
    for (LocatedStripe stripe : journey.stripes(inode(path))) {
      int most = stripe.codec().shape().parityUnits();
      List<Integer> data =
          IntStream.range(0, stripe.codec().shape().dataUnits())
              .filter(unit -> stripe.unit(unit).state() == UnitState.LIVE)
              .boxed()
              // Stripes take the blocks of a file in an order that spreads them over the nodes.
              .sorted(comparingInt(unit -> inFileOrder.indexOf(Journey.blockOf(stripe, unit))))
              .toList();
      for (int unit : spread(data, most)) {
        journey.delete(stripe, unit);
      }
    }
  }

  private static List<Integer> spread(List<Integer> units, int count) {
    if (units.size() <= count) {
      return units;
    }
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chosen.add(units.get(count == 1 ? units.size() - 1 : i * (units.size() - 1) / (count - 1)));
    }
    return chosen;
  }

  @Override
  public void close() {
    journey.close();
  }
}
