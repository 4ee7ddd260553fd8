// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.policies.Protection;
import io.hdfsraid.raidapi.FileState;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.job.JobWiring;
import io.hdfsraid.recency.index.ColdFileVisitor;
import io.hdfsraid.recency.index.IndexedFile;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What the daemon knows of the use of files, by the image and the edit log of a real HDFS. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class RecencyJourneyTest {
  private static final int BLOCK = 1 << 20;
  private static final Instant LONG_AGO = Instant.parse("2024-01-01T00:00:00Z");
  private static final Logger AUDIT =
      (Logger) LoggerFactory.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");

  private static EmbeddedHdfs hdfs;
  private static DistributedFileSystem fs;

  @TempDir private java.nio.file.Path folder;
  private FollowingDaemon daemon;
  private Catalog catalog;
  private JobWiring jobs;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        EmbeddedHdfs.builder()
            .dataNodes(9)
            .racks(5)
            .blockSize(BLOCK)
            .withBlockTokens()
            .set("dfs.namenode.accesstime.precision", "1")
            .start();
    fs = hdfs.fileSystem();
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  @BeforeEach
  void startDaemon() throws IOException {
    daemon = new FollowingDaemon(hdfs, folder);
    catalog = daemon.catalog();
    jobs = daemon.jobs();
  }

  @AfterEach
  void stopDaemon() throws IOException {
    daemon.close();
  }

  /** A file that was last used long ago. */
  private static void load(String path, int bytes) throws IOException {
    try (FSDataOutputStream out = fs.create(new Path(path), true)) {
      out.write(new byte[bytes]);
    }
    fs.setTimes(new Path(path), LONG_AGO.toEpochMilli(), LONG_AGO.toEpochMilli());
  }

  private static void read(String path) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      in.readFully(new byte[1]);
    }
  }

  private void follow() throws Exception {
    daemon.follow();
  }

  private IndexedFile indexed(String path) {
    return catalog
        .namespace()
        .at(path)
        .orElseThrow(() -> new AssertionError(path + " is not in the index"));
  }

  /** Paths below a directory in the order of their last use, from the coldest. */
  private List<String> coldest(String below) {
    List<String> paths = new ArrayList<>();
    catalog
        .namespace()
        .coldestFirst(
            file -> {
              if (file.path().startsWith(below + "/")) {
                paths.add(file.path());
              }
              return ColdFileVisitor.keep();
            });
    return paths;
  }

  @Test
  void aFileThatAPlainClientReadsIsSeenToBeWarm() throws Exception {
    load("/warm/a", 10);
    load("/warm/b", 10);
    jobs.select().evaluation().scan();
    assertThat(coldest("/warm")).containsExactly("/warm/a", "/warm/b");
    assertThat(indexed("/warm/a").lastUsed()).isEqualTo(LONG_AGO);
    Instant before = Instant.now().minusSeconds(1);

    read("/warm/a");
    follow();

    assertThat(indexed("/warm/a").lastUsed()).isAfter(before);
    assertThat(coldest("/warm")).containsExactly("/warm/b", "/warm/a");
    assertThat(jobs.select().recency().tracking().since()).isPresent();
  }

  @Test
  void aTreeThatIsRenamedKeepsItsRecencyAlsoOverARestart() throws Exception {
    load("/tree/dt=1/x", 10);
    load("/tree/dt=1/y", 10);
    jobs.select().evaluation().scan();
    read("/tree/dt=1/x");
    follow();
    Instant used = indexed("/tree/dt=1/x").lastUsed();
    stopDaemon();

    fs.rename(new Path("/tree"), new Path("/moved"));
    startDaemon();
    follow();

    assertThat(catalog.namespace().at("/tree/dt=1/x")).isEmpty();
    assertThat(indexed("/moved/dt=1/x").lastUsed()).isEqualTo(used);
    assertThat(indexed("/moved/dt=1/y").lastUsed()).isEqualTo(LONG_AGO);
    assertThat(coldest("/moved")).containsExactly("/moved/dt=1/y", "/moved/dt=1/x");
  }

  @Test
  void whatIsDeletedOrOverwrittenLeavesNoGhost() throws Exception {
    load("/ghosts/deep/a", 10);
    load("/ghosts/deep/b", 10);
    load("/ghosts/c", 10);
    jobs.select().evaluation().scan();
    long before = indexed("/ghosts/c").inode();

    fs.delete(new Path("/ghosts/deep"), true);
    load("/ghosts/c", 20);
    follow();
    jobs.select().evaluation().scan();

    assertThat(coldest("/ghosts")).containsExactly("/ghosts/c");
    IndexedFile now = indexed("/ghosts/c");
    assertThat(now.inode()).isNotEqualTo(before).isPositive();
    assertThat(now.inode()).isEqualTo(daemon.cluster().listing().file("/ghosts/c").inodeId());
    assertThat(now.attributes().length()).isEqualTo(20);
    assertThat(catalog.namespace().file(before)).isEmpty();
  }

  @Test
  void encodingScrubbingAndRepairingHeatNothing() throws Exception {
    String path = "/cold/file";
    load(path, 4 * BLOCK + 5);
    jobs.select().evaluation().scan();
    long inode = indexed(path).inode();

    ListAppender<ILoggingEvent> audited = new ListAppender<>();
    audited.start();
    AUDIT.setLevel(Level.INFO);
    AUDIT.setAdditive(false);
    AUDIT.addAppender(audited);
    try {
      heatNothing(path, inode, audited);
    } finally {
      AUDIT.detachAppender(audited);
      AUDIT.setAdditive(true);
      AUDIT.setLevel(null);
    }
  }

  private void heatNothing(String path, long inode, ListAppender<ILoggingEvent> audited)
      throws Exception {
    jobs.select().raider().raid(inode, new Protection("rs-3-2", 1, 1), "test");
    settle(inode);
    long unused = jobs.scrub().job(ScrubDepth.DEEP).run();
    LocatedBlock block =
        daemon.cluster().access().namespace().file(inode).orElseThrow().blocks().get(0);
    int node = hdfs.dataNodeAt(block.live().get(0).node().address()).index();
    hdfs.corruptReplica(block.block().id(), node);
    jobs.scrub().requested(ScrubDepth.DEEP).scrub(inode, "test");
    assertThat(jobs.repair().job().run(inode, "test", stripe -> {})).isPositive();
    follow();
    assertThat(opens(audited, path, inode)).as("by the NameNode's audit log").isEmpty();

    assertThat(fs.getFileStatus(new Path(path)).getAccessTime()).isEqualTo(LONG_AGO.toEpochMilli());
    assertThat(indexed(path).lastUsed()).isEqualTo(LONG_AGO);

    read(path);
    assertThat(opens(audited, path, inode)).as("it tells of reads").hasSize(1);
  }

  private static List<String> opens(ListAppender<ILoggingEvent> audited, String path, long inode) {
    return List.copyOf(audited.list).stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(line -> line.contains("\tcmd=open\t"))
        .filter(
            line ->
                line.contains("\tsrc=" + path + "\t")
                    || line.contains("\tsrc=/.reserved/.inodes/" + inode + "\t"))
        .toList();
  }

  private void settle(long inode) throws IOException {
    Instant end = Instant.now().plusSeconds(60);
    while (catalog.files().find(inode).orElseThrow().state() != FileState.RAIDED) {
      assertThat(Instant.now()).as("raided in a minute").isBefore(end);
      jobs.upkeep().reconciler().run();
    }
  }
}
