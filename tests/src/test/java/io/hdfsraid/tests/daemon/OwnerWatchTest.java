// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidnode.hdfs.OwnedByAnotherException;
import io.hdfsraid.raidnode.hdfs.OwnerFile;
import io.hdfsraid.raidnode.hdfs.OwnerWatch;
import io.hdfsraid.raidnode.hdfs.OwnerWatch.State;
import io.hdfsraid.raidnode.process.OwnerProcess;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conclusions of a daemon that stands by from the owner file of another. */
class OwnerWatchTest {
  private static final String ROOT = "/.raid";
  private static final Path OWNER = new Path(ROOT, "owner");
  private static final String PROCESS = "user.raid.owner.process";
  private static final String EPOCH = "user.raid.owner.epoch";
  private static final String SUCCESSOR = "user.raid.owner.successor";
  private static final String BEAT = "user.raid.owner.beat";
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** How long a daemon believes an answer of the NameNode. */
  private static final Duration BELIEVED = Duration.ofSeconds(3);

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

  /** Sends a heartbeat for the holder. */
  private static void beat(int number) throws IOException {
    mark(Long.parseLong(text(EPOCH)), number);
  }

  private static void mark(long epoch, int number) throws IOException {
    admin.setXAttr(
        OWNER, BEAT, "%s\n%d\n%d".formatted(text(PROCESS), epoch, number).getBytes(UTF_8));
  }

  private static String text(String mark) throws IOException {
    return new String(admin.getXAttr(OWNER, mark), UTF_8);
  }

  /** Whoever has lost its lease gets it back, unless another has it. */
  private static void assertHeld() throws IOException {
    try (DistributedFileSystem other = client()) {
      assertThatThrownBy(() -> other.append(OWNER)).hasMessageContaining("lease");
    }
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
  void whoSendsNoHeartbeatForTheWholePatienceIsSilentUntilTheNext() throws IOException {
    beat(1);
    assertThat(lookAfterSeconds(19)).isEqualTo(State.HELD);
    beat(2);
    assertThat(lookAfterSeconds(19)).isEqualTo(State.HELD);
    assertThat(lookAfterSeconds(1)).as("20 s after it was seen").isEqualTo(State.SILENT);
    beat(3);
    assertThat(watch.endLease()).as("it lives after all").isFalse();
    assertThat(watch.look()).isEqualTo(State.HELD);
    assertHeld();
  }

  @Test
  void theTimeInWhichTheWatchGotNoAnswerDoesNotCount() throws IOException {
    beat(1);
    assertThat(lookAfterSeconds(15)).isEqualTo(State.HELD);
    assertThat(lookAfter(Duration.ofSeconds(6))).isEqualTo(State.HELD);
    assertThat(lookAfterSeconds(19)).isEqualTo(State.HELD);
    assertThat(lookAfterSeconds(1)).isEqualTo(State.SILENT);
  }

  @Test
  void theTimeInWhichTheNameNodeTakesNoChangesDoesNotCount() throws IOException {
    beat(1);
    admin.setSafeMode(SafeModeAction.ENTER);
    try {
      assertThat(lookAfterSeconds(60)).isEqualTo(State.HELD);
    } finally {
      admin.setSafeMode(SafeModeAction.LEAVE);
    }
    assertThat(lookAfterSeconds(19)).isEqualTo(State.HELD);
    assertThat(lookAfterSeconds(1)).isEqualTo(State.SILENT);
  }

  /** Commands that work without the daemon hold the file, too, and so does an older daemon. */
  @Test
  void whoNeverSentAHeartbeatIsLeftAloneUntilItsLeaseExpires() throws IOException {
    assertThat(lookAfterSeconds(60)).isEqualTo(State.HELD);
    mark(0, 9);
    assertThat(lookAfterSeconds(60)).as("a heartbeat of another epoch").isEqualTo(State.HELD);
    beat(1);
    admin.setXAttr(OWNER, PROCESS, "elsewhere\n\n4711\n".getBytes(UTF_8));
    assertThat(lookAfterSeconds(60)).as("a heartbeat of another process").isEqualTo(State.HELD);
    assertHeld();

    hdfs.expireLeasesAfter(Duration.ofMillis(1));
    try {
      assertThat(lookAfterSeconds(11)).isEqualTo(State.FREE);
    } finally {
      hdfs.expireLeasesAfter(Duration.ofMinutes(1));
    }
  }

  @Test
  void whoHasEndedOrderlyIsFollowedAtOnce() throws IOException {
    owner.close();
    assertThat(watch.look()).isEqualTo(State.FREE);
    owner = acquire(fs);
    assertThat(owner.epoch()).isEqualTo(2);
    assertThat(watch.look()).isEqualTo(State.HELD);
  }

  @Test
  void ofTwoTheOneWhoseLeaseWasEndedChangesNothingMoreWhenTheOtherBegins() throws IOException {
    beat(1);
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

  /** All processes of this test are one process: the one that has left its work. */
  @Test
  void whoHasLeftItsWorkDoesNotTakeItBackBeforeOthersHadTheirTime() throws IOException {
    owner.handOver(Optional.empty(), "alice", () -> {});
    assertThat(owner.end().toCompletableFuture().join()).contains("alice", "one that stands by");
    assertThat(watch.look()).as("while its work ends").isEqualTo(State.HELD);
    owner.close();
    assertThat(lookAfterSeconds(29)).isEqualTo(State.RESERVED);
    assertThat(lookAfterSeconds(1)).isEqualTo(State.FREE);
    Instant began = Instant.now();
    owner = acquire(fs);
    assertThat(Duration.between(began, Instant.now()))
        .as("the process that has left its work lives on")
        .isGreaterThan(BELIEVED);
    owner.close();
    assertThat(watch.look()).as("the mark was that of another epoch").isEqualTo(State.FREE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "$this", "another.example.com"})
  void onlyTheDaemonToWhichTheWorkWasLeftTakesOverAtOnce(String to) throws IOException {
    String name = to.replace("$this", OwnerProcess.current().host());
    owner.handOver(Optional.of(name), "alice", () -> {});
    owner.close();
    byte[] other = "elsewhere\n\n4711\n".getBytes(UTF_8);
    admin.setXAttr(OWNER, PROCESS, other);
    admin.setXAttr(
        OWNER,
        SUCCESSOR,
        "%s\n%s\n%s".formatted(new String(other, UTF_8), text(EPOCH), name).getBytes(UTF_8));
    assertThat(watch.look()).isEqualTo(to.startsWith("another") ? State.RESERVED : State.FREE);
  }

  @Test
  void ofTwoThatStandByOneTakesOver() throws IOException {
    beat(1);
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
    owner.advertise(URI.create("https://raid1.example:8090"));
    owner.startHeartbeat();
    Until.holds(() -> admin.getXAttrs(OWNER).containsKey(BEAT), () -> "a heartbeat");
    byte[] first = admin.getXAttr(OWNER, BEAT);
    Until.holds(() -> !Arrays.equals(first, admin.getXAttr(OWNER, BEAT)), () -> "another one");
    assertThat(watch.look()).isEqualTo(State.HELD);
    assertThat(watch.address()).contains(URI.create("https://raid1.example:8090"));
    assertThat(watch.holder().orElseThrow()).contains("process ");

    owner.close();
    assertThat(watch.look()).isEqualTo(State.FREE);
    assertThat(watch.address()).isEmpty();
  }

  /** It may have died while it waited for a holder before it that is alive. */
  @Test
  void whoDiedBeforeItsFirstHeartbeatIsWaitedForLikeALivingOne() throws IOException {
    endAsDead();
    Instant began = Instant.now();
    owner = acquire(fs);
    assertThat(Duration.between(began, Instant.now())).isGreaterThan(BELIEVED);
  }

  /** Ends the lease of the owner, as if its process had died. */
  private void endAsDead() throws IOException {
    OwnerProcess here = OwnerProcess.current();
    OwnerProcess dead = new OwnerProcess(here.host(), here.space(), here.pid(), "another start");
    assertThat(admin.recoverLease(OWNER)).isTrue();
    admin.setXAttr(OWNER, PROCESS, dead.toBytes());
    assertThatThrownBy(owner::pass).isInstanceOf(DeposedException.class);
    owner.close();
  }

  /** Otherwise the lease would be left behind with nobody to renew or to end it. */
  @Test
  void whoHasGivenTheFileUpDoesNotTakeItBack() throws IOException {
    owner.pass();
    owner.close();
    assertThatThrownBy(owner::recheck).hasMessageContaining("was given up");
    assertThat(watch.look()).isEqualTo(State.FREE);
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
