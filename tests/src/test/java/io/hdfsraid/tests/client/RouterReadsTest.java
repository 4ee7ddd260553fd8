// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.fs.DistributedRaidFileSystem;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidnode.hdfs.HdfsCluster;
import io.hdfsraid.raidnode.hdfs.RouterMounts;
import io.hdfsraid.tests.journeys.Journey;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications that know a router of HDFS in place of the NameNode read through losses, too. */
@Tag("full")
class RouterReadsTest {
  @TempDir private static java.nio.file.Path folder;

  private static Journey journey;
  private static RouterProcess router;
  private static byte[] bytes;
  private static FileChecksum checksum;

  @BeforeAll
  static void loseBlocks() throws Exception {
    journey = new Journey(9);
    router = new RouterProcess(journey.hdfs, folder);
    journey.startDaemon((step, subject) -> {});
    bytes = journey.load("/file", 3 * Journey.BLOCK - 7);
    checksum = journey.hdfs.fileSystem().getFileChecksum(new Path("/file"));
    LocatedStripe stripe = journey.stripes(journey.raid("/file", "rs-3-2")).get(0);
    journey.delete(stripe, 0);
    journey.delete(stripe, 2);
    router.awaitService();
  }

  @AfterAll
  static void stop() {
    router.close();
    journey.close();
  }

  private static Configuration withDegradedReads() {
    Configuration conf = new Configuration(journey.hdfs.configuration());
    conf.setClass("fs.hdfs.impl", DistributedRaidFileSystem.class, FileSystem.class);
    conf.set("fs.AbstractFileSystem.hdfs.impl", "io.hdfsraid.drfs.fs.RaidFs");
    return conf;
  }

  private static Path path() {
    return new Path(router.uri() + "/file");
  }

  @Test
  void lostBlocksAreReadThroughTheirStripes() throws Exception {
    try (DistributedRaidFileSystem fs =
            (DistributedRaidFileSystem) FileSystem.newInstance(router.uri(), withDegradedReads());
        FSDataInputStream in = fs.open(path())) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
      byte[] read = new byte[1_000];
      in.readFully(Journey.BLOCK - 500L, read);
      assertThat(read)
          .isEqualTo(java.util.Arrays.copyOfRange(bytes, Journey.BLOCK - 500, Journey.BLOCK + 500));
      assertThat(fs.degradedReads().bytes()).isPositive();
      assertThat(fs.getFileChecksum(path())).isEqualTo(checksum);
    }
    try (FSDataInputStream in =
        FileContext.getFileContext(router.uri(), withDegradedReads()).open(path())) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
  }

  @Test
  void theDaemonShowsPathsAsClientsOfTheRouterSeeThem() throws Exception {
    router.mount("/shown", "/tables");
    try (RouterMounts mounts = journey.cluster().mounts(List.of(router.webAddress()))) {
      Journey.until(
          () -> mounts.clientPath("/tables/a").equals(Optional.of("/shown/a")),
          () -> "the mount point in " + mounts.clientPath("/tables/a"));
    }
  }

  @Test
  void lostBlocksAreReadThroughAMountPointWithAnotherPath() throws Exception {
    byte[] mounted = journey.load("/warehouse/a", 3 * Journey.BLOCK);
    LocatedStripe stripe = journey.stripes(journey.raid("/warehouse/a", "rs-3-2")).get(0);
    journey.delete(stripe, 1);
    router.mount("/data", "/warehouse");
    Path shown = new Path(router.uri() + "/data/a");
    try (FileSystem fs = FileSystem.newInstance(router.uri(), withDegradedReads())) {
      Journey.until(() -> fs.exists(shown), () -> shown + " to be shown");
      try (FSDataInputStream in = fs.open(shown)) {
        assertThat(in.readAllBytes()).isEqualTo(mounted);
      }
    }
  }

  @Test
  void noDaemonWorksOnTheRouterItself() {
    assertThatThrownBy(
            () ->
                HdfsCluster.connect(
                    router.uri(),
                    journey.hdfs.configuration(),
                    ParitySettings.defaults(),
                    Clock.systemUTC()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(router.uri() + " is a router");
  }

  @Test
  void aPlainClientCannotReadThem() throws Exception {
    Configuration plain = new Configuration(journey.hdfs.configuration());
    try (FileSystem fs = FileSystem.newInstance(router.uri(), plain);
        FSDataInputStream in = fs.open(path())) {
      assertThatThrownBy(in::readAllBytes).isInstanceOf(BlockMissingException.class);
    }
  }
}
