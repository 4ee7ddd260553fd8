// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.hdfs.HdfsParityStore;
import io.hdfsraid.drfs.hdfs.ParitySettings;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.CallPermits;
import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.UnconfirmedOwnershipException;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.RowLayout;
import io.hdfsraid.raidnode.hdfs.HdfsDecisions;
import io.hdfsraid.raidnode.hdfs.LastTerm;
import io.hdfsraid.raidnode.hdfs.OwnerFile;
import io.hdfsraid.raidnode.hdfs.Ownership;
import io.hdfsraid.raidnode.hdfs.RootMovedException;
import io.hdfsraid.tests.recency.AuditLogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users and other daemons may do to the root while a daemon owns the cluster. */
class OwnerFileTest {
  private static final Path ROOT = new Path("/.raid");
  private static final Path OWNER = new Path(ROOT, "owner");
  private static final String PROCESS = "user.raid.owner.process";
  private static final List<String> BEATS =
      List.of("user.raid.owner.beat", "user.raid.owner.beat-odd");
  private static final Path TRASH = new Path("/user/admin/.Trash/Current/.raid");

  private static EmbeddedHdfs hdfs;
  private static DistributedFileSystem admin;

  private final AtomicInteger remade = new AtomicInteger();
  private DistributedFileSystem fs;
  private HdfsParityStore store;
  private OwnerFile owner;

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
    store =
        HdfsParityStore.open(
            hdfs.uri(),
            hdfs.configuration(),
            new ParitySettings(ROOT.toString(), ParitySettings.AccessRule.INHERIT));
    owner = OwnerFile.acquire(fs, ROOT.toString(), store::prepare);
    owner.onRemade(remade::incrementAndGet);
    store.fencedBy(owner);
  }

  @AfterEach
  void release() throws IOException {
    owner.close();
    store.close();
    fs.close();
    admin.delete(ROOT, true);
    admin.delete(TRASH, true);
  }

  /** A client with a lease of its own, as another process has. */
  private static DistributedFileSystem client() throws IOException {
    return (DistributedFileSystem)
        org.apache.hadoop.fs.FileSystem.newInstance(hdfs.uri(), hdfs.configuration());
  }

  private static void moveToTrash() throws IOException {
    admin.mkdirs(TRASH.getParent());
    assertThat(admin.rename(ROOT, TRASH)).isTrue();
  }

  @Test
  void whoOwnsTheClusterPasses() throws IOException {
    owner.pass();
    owner.recheck();
    assertThat(owner.ownership().state()).isEqualTo(Ownership.State.HELD);
    assertThat(remade).hasValue(0);
  }

  @Test
  void besideALivingDaemonNothingIsWrittenBeforeItIsRefused() throws IOException {
    long files = admin.getContentSummary(ROOT).getDirectoryCount();
    try (DistributedFileSystem other = client()) {
      assertThatThrownBy(
              () ->
                  OwnerFile.acquire(
                      other,
                      ROOT.toString(),
                      () -> {
                        throw new AssertionError("It prepares the root of another daemon");
                      }))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("Another RaidNode works on this cluster");
    }
    assertThat(admin.getContentSummary(ROOT).getDirectoryCount()).isEqualTo(files);
    owner.pass();
  }

  @Test
  void aRootThatIsDeletedIsMadeAgainAndRaidingPauses() throws IOException {
    admin.delete(ROOT, true);
    owner.pass();
    assertThat(remade).hasValue(1);
    assertThat(owner.isFirst()).as("below a new root").isTrue();
    assertThat(owner.ownership().state()).isEqualTo(Ownership.State.HELD);
    owner.pass();
    assertThat(remade).as("once").hasValue(1);
    assertThat(admin.exists(new Path(ROOT, "parity"))).isTrue();
    try (DistributedFileSystem other = client()) {
      assertThatThrownBy(() -> OwnerFile.acquire(other, ROOT.toString(), store::prepare))
          .isInstanceOf(RefusedException.class);
    }
  }

  @Test
  void anOwnerFileThatIsDeletedIsGivenUpWithoutAnError() throws IOException {
    admin.delete(ROOT, true);
    owner.close();
    assertThat(admin.exists(ROOT)).isFalse();
  }

  @Test
  void anOwnerFileThatIsDeletedAloneIsMadeAgain() throws IOException {
    admin.delete(OWNER, false);
    owner.pass();
    assertThat(remade).hasValue(1);
    assertThat(admin.exists(OWNER)).isTrue();
  }

  @Test
  void aRootThatIsMovedStopsEverythingUntilItIsMovedBack() throws IOException {
    moveToTrash();
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(owner::pass)
          .isInstanceOf(RootMovedException.class)
          .hasMessageContaining("from /.raid to " + TRASH)
          .hasMessageContaining("hdfs dfs -mv %s /.raid".formatted(TRASH));
    }
    assertThat(owner.ownership().state()).isEqualTo(Ownership.State.ROOT_MOVED);
    assertThatThrownBy(() -> store.find(4711))
        .as("nothing is concluded from what is not there")
        .isInstanceOf(RootMovedException.class);
    assertThatThrownBy(() -> store.forEach(id -> {})).isInstanceOf(RootMovedException.class);
    assertThatThrownBy(() -> store.draft(4711)).isInstanceOf(RootMovedException.class);
    assertThatCode(owner::recheckForRaise)
        .as("replication may be raised")
        .doesNotThrowAnyException();
    assertThat(admin.exists(ROOT)).as("nothing is created in its place").isFalse();

    admin.rename(TRASH, ROOT);
    owner.pass();
    assertThat(store.find(4711)).isEmpty();
    assertThat(owner.ownership().state()).isEqualTo(Ownership.State.HELD);
    assertThat(remade).hasValue(0);
  }

  @Test
  void ofTwoRootsTheDaemonOfTheMovedOneGivesWayForGood() throws IOException {
    moveToTrash();
    try (DistributedFileSystem other = client();
        OwnerFile second = OwnerFile.acquire(other, ROOT.toString(), store()::prepare)) {
      assertThatThrownBy(owner::pass).isInstanceOf(DeposedException.class);
      second.pass();
    }
    admin.delete(ROOT, true);
    admin.rename(TRASH, ROOT);
    Throwable latched = catchThrowable(owner::recheck);
    assertThat(latched).isInstanceOf(DeposedException.class);
    assertThat(catchThrowable(owner::recheck))
        .as("a close that is refused, too, must not hide the failure before it")
        .isInstanceOf(DeposedException.class)
        .isNotSameAs(latched);
    assertThat(owner.ownership().state()).isEqualTo(Ownership.State.LOST);
    assertThat(owner.end().toCompletableFuture().join())
        .contains("Another RaidNode has taken over");
  }

  private HdfsParityStore store() throws IOException {
    return HdfsParityStore.open(
        hdfs.uri(),
        hdfs.configuration(),
        new ParitySettings(ROOT.toString(), ParitySettings.AccessRule.INHERIT));
  }

  /** An older daemon committed into a root that was made as a by-product, without a mark. */
  @Test
  void aRootWithoutAMarkButWithOurDirectoriesBelowIsTakenOver() throws IOException {
    owner.close();
    admin.removeXAttr(ROOT, "user.raid.owner");
    admin.setPermission(ROOT, new FsPermission("700"));
    store.fencedBy(() -> {});
    store.prepare();
    assertThat(admin.getXAttrs(ROOT)).containsKey("user.raid.owner");
    assertThat(admin.getFileStatus(ROOT).getPermission()).isEqualTo(new FsPermission("711"));
    owner = OwnerFile.acquire(fs, ROOT.toString(), store::prepare);
    assertThat(owner.isFirst()).isFalse();
  }

  @Test
  void whileAnotherHoldsTheFileNothingPassesAndAfterwardsNeverAgain() throws IOException {
    byte[] ours = admin.getXAttr(OWNER, PROCESS);
    assertThat(admin.recoverLease(OWNER)).isTrue();
    try (FSDataOutputStream another = admin.append(OWNER)) {
      assertThat(another.getPos()).as("it holds an empty file").isZero();
      assertThatThrownBy(owner::pass)
          .as("before the other has said who it is")
          .isInstanceOf(UnconfirmedOwnershipException.class);
      admin.setXAttr(OWNER, PROCESS, "elsewhere\n\n4711\n".getBytes(StandardCharsets.UTF_8));
    }

    assertThatThrownBy(owner::pass)
        .isInstanceOf(DeposedException.class)
        .hasMessageContaining("process 4711 on elsewhere has held");
    assertThatThrownBy(() -> store.draft(4711)).isInstanceOf(DeposedException.class);
    assertThat(owner.end().toCompletableFuture()).isCompleted();
    admin.setXAttr(OWNER, PROCESS, ours);
    assertThatThrownBy(owner::pass).as("latched").isInstanceOf(DeposedException.class);
  }

  @Test
  void whenTheNamespaceWasSetBackTheOwnershipEndsAndTheNextOwnerKnows() throws Exception {
    owner.startHeartbeat();
    awaitHeartbeats(2);
    Map<String, byte[]> checkpoint = admin.getXAttrs(OWNER, BEATS);
    awaitHeartbeats(5);
    LastTerm known = owner.terms().last();
    Until.holds(
        () -> {
          for (String beat : BEATS) { // a heartbeat may come right after it
            admin.setXAttr(OWNER, beat, checkpoint.get(beat));
          }
          return owner.ownership().state() == Ownership.State.LOST;
        },
        () -> owner.terms().toString());
    assertThatThrownBy(owner::pass)
        .isInstanceOf(DeposedException.class)
        .hasMessageContaining("The namespace was set back to an earlier state")
        .hasMessageContaining("of the owner's term " + known.id());
    owner.close();
    assertThat(owner.terms().lacks(known)).as("what the catalog gets").isFalse();
    owner = OwnerFile.acquire(fs, ROOT.toString(), store::prepare);
    assertThat(owner.terms().lacks(known)).isTrue();
  }

  @Test
  void aLateHeartbeatOfAFormerOwnerDeposesNobody() throws Exception {
    owner.startHeartbeat();
    awaitHeartbeats(1);
    owner.close();
    byte[] late = admin.getXAttr(OWNER, BEATS.get(1));
    owner = OwnerFile.acquire(fs, ROOT.toString(), store::prepare);
    owner.startHeartbeat();
    awaitHeartbeats(1);
    admin.setXAttr(OWNER, BEATS.get(1), late);
    awaitHeartbeats(3);
    assertThat(owner.ownership().state()).isEqualTo(Ownership.State.HELD);
  }

  private void awaitHeartbeats(long beats) throws Exception {
    Until.holds(() -> owner.terms().last().beats() >= beats, () -> owner.terms().toString());
  }

  @Test
  void eachOwnerTellsOfTheTermsBefore() throws Exception {
    owner.startHeartbeat();
    awaitHeartbeats(1);
    owner.close();
    LastTerm first = owner.terms().last();
    owner = OwnerFile.acquire(fs, ROOT.toString(), store::prepare);
    assertThat(owner.terms().lacks(first)).isFalse();
    assertThat(owner.terms().all()).hasSize(2);

    admin.delete(ROOT, true);
    owner.pass(); // it makes the file anew, and knows what was there
    assertThat(owner.terms().all()).hasSize(3);
    assertThat(owner.terms().lacks(first)).isFalse();
  }

  @Test
  void whatWasLoweredTooLateIsRaisedAgainAlsoByADeposedDaemon() throws IOException {
    Path path = new Path("/lowered/file");
    admin.create(path, (short) 3).close();
    HdfsNamespace namespace =
        new HdfsNamespace(fs, CallPermits.UNLIMITED, Duration.ofSeconds(1), owner);
    long inode = namespace.file(path.toString()).orElseThrow().inode();
    namespace.setReplication(inode, 1);
    assertThat(admin.recoverLease(OWNER)).isTrue();
    admin.setXAttr(OWNER, PROCESS, "elsewhere\n\n4711\n".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(owner::pass).isInstanceOf(DeposedException.class);
    assertThatThrownBy(() -> namespace.setReplication(inode, 3))
        .isInstanceOf(DeposedException.class);

    assertThat(namespace.undoReduction(inode, 1, 3)).isTrue();
    assertThat(admin.getFileStatus(path).getReplication()).isEqualTo((short) 3);

    assertThat(namespace.undoReduction(inode, 1, 2)).isFalse();
    assertThat(admin.getFileStatus(path).getReplication())
        .as("what somebody else has set since")
        .isEqualTo((short) 3);
    admin.delete(path, false);
    assertThat(namespace.undoReduction(inode, 1, 3)).isFalse();
  }

  @Test
  void aLeaseThatWasTakenByNobodyIsRegained() throws IOException {
    assertThat(admin.recoverLease(OWNER)).isTrue();
    owner.pass();
    assertThat(owner.ownership().state()).isEqualTo(Ownership.State.HELD);
    assertThat(remade).hasValue(0);
  }

  @Test
  void whileTheNameNodeTakesNoChangesTheOwnershipIsUnconfirmed() throws IOException {
    admin.setSafeMode(SafeModeAction.ENTER);
    try {
      assertThatThrownBy(owner::pass).isInstanceOf(UnconfirmedOwnershipException.class);
      assertThat(owner.ownership().state()).isEqualTo(Ownership.State.UNCONFIRMED);
      assertThat(owner.ownership().problem()).contains("safe mode");
    } finally {
      admin.setSafeMode(SafeModeAction.LEAVE);
    }
    owner.pass();
    assertThat(owner.ownership().state()).isEqualTo(Ownership.State.HELD);
  }

  @Test
  void decisionsAreKeptAtTheRootByTheOwnerAlone() throws IOException {
    HdfsDecisions decisions = new HdfsDecisions(fs, ROOT.toString(), owner);
    assertThat(decisions.read()).isEmpty();
    decisions.write("policies-paused", Optional.of("2029-06-01T00:00:00Z"));
    assertThat(decisions.read()).isEqualTo(Map.of("policies-paused", "2029-06-01T00:00:00Z"));
    decisions.write("policies-paused", Optional.empty());
    assertThat(decisions.read()).isEmpty();

    assertThat(admin.recoverLease(OWNER)).isTrue();
    admin.setXAttr(OWNER, PROCESS, "elsewhere\n\n4711\n".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(owner::pass).isInstanceOf(DeposedException.class);
    assertThatThrownBy(() -> decisions.write("withdrawal", Optional.of("purge")))
        .isInstanceOf(DeposedException.class);
  }

  /** Several changes follow each other, and the process may be stopped between any two of them. */
  @Test
  void eachChangeBelowTheRootIsSentRightAfterTheFenceWasChecked(@TempDir java.nio.file.Path folder)
      throws IOException {
    Path path = new Path("/sources/file");
    try (FSDataOutputStream out = admin.create(path)) {
      out.write(1);
    }
    HdfsNamespace namespace = new HdfsNamespace(admin);
    LocatedFile source = namespace.file(path.toString()).orElseThrow();
    List<DataUnit> data = List.of(new DataUnit(0, source.blocks().get(0).block(), 4711));
    List<Stripe> stripes = Collections.nCopies(20_000, new Stripe(data, List.of(1)));
    List<Member> members = List.of(new Member(source.inode(), source.length()));
    RowLayout layout = new RowLayout(1, RowLayout.DEFAULT_CHUNK);
    Manifest manifest = new Manifest("c", "p", "rs-1-1", layout, 3, 1, 2, members, stripes);
    GroupId group = new GroupId(1L << 62);
    List<String> lines;
    try (AuditLogFile audit = AuditLogFile.in(folder)) {
      store.fencedBy(() -> audit.note("checked"));
      try (ParityDraft draft = store.draft(source.inode())) {
        draft.follow(namespace.storagePolicy(HdfsConstants.ALLSSD_STORAGE_POLICY_ID));
        try (UnitOutput unit = draft.create(0, Optional.empty(), 1)) {
          unit.write(ByteBuffer.allocate(1));
        }
        draft.concat(1);
        draft.describe(manifest, source);
        ParityFile parity = draft.commit();
        store.mark(source.inode(), ParityPhase.REDUCED);
        admin.setOwner(path, "ann", "people");
        store.refreshAccess(source.inode());
        store.hint(source.inode(), group);
        store.unhint(source.inode(), group);
        assertThat(store.quarantine(parity)).isTrue();
      }
      assertThat(store.restore(store.quarantined(source.inode()).get(0))).isTrue();
      store.retire(store.find(source.inode()).orElseThrow());
      store.purge(store.quarantined(source.inode()).get(0));
      assertThat(store.sweepDirectories(Instant.now().plusSeconds(60))).isPositive();
      store.removeDirectories();
      lines = audit.lines();
    }

    List<String> unchecked = new ArrayList<>();
    Set<String> commands = new TreeSet<>();
    boolean checked = false;
    for (String line : lines) {
      if (line.endsWith("checked")) {
        checked = true;
      } else if (AuditLogFile.isChange(line) && !line.contains("src=" + path)) {
        commands.add(line.replaceAll("(?s).*\tcmd=([a-zA-Z]*).*", "$1"));
        if (!checked) {
          unchecked.add(line);
        }
        checked = false;
      }
    }
    assertThat(unchecked).isEmpty();
    assertThat(commands)
        .contains("concat", "create", "delete", "mkdirs", "removeXAttr", "rename", "setAcl")
        .contains("setOwner", "setPermission", "setReplication", "setTimes", "setXAttr");
  }
}
