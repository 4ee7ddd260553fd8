// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidnode.hdfs.OwnedByAnotherException;
import io.hdfsraid.raidnode.hdfs.OwnerFile;
import io.hdfsraid.raidnode.hdfs.OwnerWatch;
import io.hdfsraid.raidnode.hdfs.OwnerWatch.State;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a daemon that stands by concludes from the owner file. */
class OwnerWatchTest {
  private static final String ROOT = "/.raid";
  private static final Path OWNER = new Path(ROOT, "owner");
  private static final String BEAT = "user.raid.owner.beat";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static EmbeddedHdfs hdfs;
  private static DistributedFileSystem admin;

  private final AtomicLong nanos = new AtomicLong();
  private DistributedFileSystem fs;
  private OwnerFile owner;
  private OwnerWatch watch;

  @BeforeAll
  static void start() throws IOException {
    hdfs = EmbeddedHdfs.builder().dataNodes(1).blockSize(1 << 20).start();
    admin = hdfs.fileSystem();
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  @BeforeEach
  void acquire() throws IOException {
    fs = client();
    watch = new OwnerWatch(client(), ROOT, PATIENCE, nanos::get);
    assertThat(watch.look()).as("before there was any daemon").isEqualTo(State.FREE);
    owner = acquire(fs);
  }

  @AfterEach
  void release() throws IOException {
    owner.close();
    fs.close();
    watch.close();
    admin.delete(new Path(ROOT), true);
  }

  private static OwnerFile acquire(DistributedFileSystem fs) throws IOException {
    return OwnerFile.acquire(fs, ROOT, () -> fs.mkdirs(new Path(ROOT)));
  }

  /** A client with a lease of its own, as another process has. */
  private static DistributedFileSystem client() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(hdfs.uri(), hdfs.configuration());
  }

  /** Gives a sign of life for the holder. */
  private static void beat(String mark) throws IOException {
    admin.setXAttr(OWNER, BEAT, mark.getBytes(StandardCharsets.UTF_8));
  }

  private State lookAfter(Duration pause) throws IOException {
    nanos.addAndGet(pause.toNanos());
    return watch.look();
  }

  private State lookAfterSeconds(int seconds) throws IOException {
    State state = watch.look();
    for (int i = 0; i < seconds; i++) {
      state = lookAfter(Duration.ofSeconds(1));
    }
    return state;
  }

  @Test
  void whoGivesNoSignOfLifeForTheWholePatienceIsSilentUntilTheNext() throws IOException {
    beat("1 1");
    assertThat(lookAfterSeconds(19)).isEqualTo(State.HELD);
    beat("1 2");
    assertThat(lookAfterSeconds(19)).isEqualTo(State.HELD);
    assertThat(lookAfterSeconds(1)).as("20 s after it was seen").isEqualTo(State.SILENT);
    beat("1 3");
    assertThat(watch.endLease()).as("it lives after all").isFalse();
    assertThat(watch.look()).isEqualTo(State.HELD);
    owner.pass();
  }

  @Test
  void theTimeInWhichTheWatchGotNoAnswerDoesNotCount() throws IOException {
    beat("1 1");
    assertThat(lookAfterSeconds(15)).isEqualTo(State.HELD);
    assertThat(lookAfter(Duration.ofSeconds(6))).isEqualTo(State.HELD);
    assertThat(lookAfterSeconds(19)).isEqualTo(State.HELD);
    assertThat(lookAfterSeconds(1)).isEqualTo(State.SILENT);
  }

  /** Commands that work without the daemon hold the file, too, and so may a daemon before this. */
  @Test
  void whoNeverGaveASignIsLeftAloneUntilItsLeaseExpires() throws IOException {
    assertThat(lookAfterSeconds(60)).isEqualTo(State.HELD);
    beat("0 9");
    assertThat(lookAfterSeconds(60)).as("signs of another epoch").isEqualTo(State.HELD);
    owner.pass();
  }

  @Test
  void whoHasEndedOrderlyIsFollowedAtOnce() throws IOException {
    owner.close();
    assertThat(watch.look()).isEqualTo(State.FREE);
    long begin = System.nanoTime();
    owner = acquire(fs);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(3));
    assertThat(owner.epoch()).isEqualTo(2);
    assertThat(watch.look()).isEqualTo(State.HELD);
  }

  @Test
  void ofTwoTheOneWhoseLeaseWasEndedChangesNothingMoreWhenTheOtherBegins() throws IOException {
    beat("1 1");
    assertThat(lookAfterSeconds(20)).isEqualTo(State.SILENT);
    owner.pass();
    assertThat(watch.endLease()).isTrue();
    try (DistributedFileSystem other = client();
        OwnerFile second = acquire(other)) {
      assertThatThrownBy(owner::recheck)
          .as("what it believed is outdated before the other may change anything")
          .isInstanceOf(DeposedException.class);
      second.pass();
      assertThat(second.epoch()).isEqualTo(2);
    }
  }

  @Test
  void ofTwoThatStandByOneTakesOver() throws IOException {
    beat("1 1");
    assertThat(lookAfterSeconds(20)).isEqualTo(State.SILENT);
    assertThat(watch.endLease()).isTrue();
    try (DistributedFileSystem other = client();
        OwnerFile second = acquire(other);
        DistributedFileSystem third = client()) {
      assertThatThrownBy(() -> acquire(third)).isInstanceOf(OwnedByAnotherException.class);
      assertThat(watch.look()).isEqualTo(State.HELD);
      second.pass();
    }
  }

  @Test
  void theActiveDaemonSaysThatItLivesAndWhereItAnswers() throws Exception {
    assertThat(watch.address()).isEmpty();
    owner.beat();
    owner.advertise(URI.create("https://raid1.example:8090"));
    Until.holds(() -> admin.getXAttrs(OWNER).containsKey(BEAT), () -> "a sign of life");
    byte[] first = admin.getXAttr(OWNER, BEAT);
    Until.holds(
        () -> !java.util.Arrays.equals(first, admin.getXAttr(OWNER, BEAT)), () -> "another one");
    assertThat(watch.look()).isEqualTo(State.HELD);
    assertThat(watch.address()).contains(URI.create("https://raid1.example:8090"));
    assertThat(watch.holder().orElseThrow()).contains("process ");

    owner.close();
    assertThat(watch.look()).isEqualTo(State.FREE);
    assertThat(watch.address()).isEmpty();
  }

  /** Otherwise a cluster from which HDFS-RAID was withdrawn would be raided again. */
  @Test
  void whereTheRootIsGoneNobodyTakesOver() throws IOException {
    assertThat(watch.look()).isEqualTo(State.HELD);
    admin.delete(new Path(ROOT), true);
    assertThat(watch.look()).isEqualTo(State.GONE);
    assertThat(lookAfterSeconds(60)).isEqualTo(State.GONE);
    owner.pass();
    assertThat(watch.look()).as("its owner has made it again").isEqualTo(State.HELD);
  }
}
