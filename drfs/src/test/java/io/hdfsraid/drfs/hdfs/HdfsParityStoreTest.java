// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.DeposedException;
import io.hdfsraid.drfs.namespace.Fence;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.NodeState;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import io.hdfsraid.drfs.parity.Footprint;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ManifestTooLargeException;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityPhase;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.RowLayout;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RealHdfs.class)
class HdfsParityStoreTest {
  private static final String ROOT = "/store";
  private static final int[] LENGTHS = {RealHdfs.BLOCK, RealHdfs.BLOCK, 1000, 1000};

  private final EmbeddedHdfs hdfs;
  private final DistributedFileSystem fs;
  private final HdfsNamespace namespace;
  private final List<HdfsParityStore> others = new ArrayList<>();
  private HdfsParityStore store;

  HdfsParityStoreTest(EmbeddedHdfs hdfs) {
    this.hdfs = hdfs;
    this.fs = hdfs.fileSystem();
    this.namespace = new HdfsNamespace(fs);
  }

  @BeforeEach
  void openStore() throws IOException {
    fs.delete(new Path(ROOT), true);
    fs.delete(new Path("/sources"), true);
    store = store(ROOT);
    store.prepare();
  }

  @AfterEach
  void closeStore() {
    store.close();
    others.forEach(HdfsParityStore::close);
  }

  private HdfsParityStore store(String root) throws IOException {
    return HdfsParityStore.open(
        hdfs.uri(),
        hdfs.configuration(),
        new ParitySettings(root, ParitySettings.AccessRule.INHERIT));
  }

  private LocatedFile source(String path, int length) throws IOException {
    RealHdfs.write(fs, path, 3, RealHdfs.BLOCK, RealHdfs.bytes(3, length));
    return namespace.file(path).orElseThrow();
  }

  private static Manifest manifest(LocatedFile source, int parityReplication) {
    List<DataUnit> data = new ArrayList<>();
    for (LocatedBlock block : source.blocks()) {
      data.add(new DataUnit(0, block.block(), 4711));
    }
    return new Manifest(
        "cluster",
        "pool",
        "rs-3-2",
        new RowLayout(1, RowLayout.DEFAULT_CHUNK),
        3,
        1,
        parityReplication,
        List.of(new Member(source.inode(), source.length())),
        List.of(new Stripe(data, List.of(1, 2)), new Stripe(data, List.of(3, 4))));
  }

  /** Four units of two lengths, each on a node of its own. */
  private LocatedFile write(ParityDraft draft, List<DataNode> favoured) throws IOException {
    List<UnitOutput> open = new ArrayList<>();
    for (int i = 0; i < LENGTHS.length; i++) {
      open.add(draft.create(i, Optional.of(favoured.get(i)), LENGTHS[i]));
    }
    for (int i = 0; i < LENGTHS.length; i++) {
      ByteBuffer bytes = ByteBuffer.wrap(RealHdfs.bytes(i, LENGTHS[i]));
      if (i % 2 == 0) {
        open.get(i).write(ByteBuffer.allocateDirect(LENGTHS[i]).put(bytes).flip());
      } else {
        open.get(i).write(bytes);
      }
      assertThat(bytes.hasRemaining()).isFalse();
    }
    for (UnitOutput output : open) {
      output.close();
    }
    return draft.concat(LENGTHS.length);
  }

  private List<DataNode> nodes() throws IOException {
    List<DataNode> nodes = new ArrayList<>();
    namespace.nodes().stream().map(NodeState::node).forEach(nodes::add);
    Collections.shuffle(nodes, new java.util.Random(5));
    return nodes;
  }

  private ParityFile commit(LocatedFile source) throws IOException {
    try (ParityDraft draft = store.draft(source.inode())) {
      write(draft, nodes());
      draft.describe(manifest(source, 1), source);
      return draft.commit();
    }
  }

  private List<String> drafts() throws IOException {
    return Arrays.stream(fs.listStatus(new Path(ROOT, "tmp")))
        .map(status -> status.getPath().getName())
        .toList();
  }

  @Test
  void parityIsWrittenUnitByUnitEachOnItsFavouredNodeAndFoundByInode() throws Exception {
    LocatedFile source = source("/sources/f", 3 * RealHdfs.BLOCK);
    List<DataNode> favoured = nodes();
    ParityFile committed;
    try (ParityDraft draft = store.draft(source.inode())) {
      LocatedFile parity = write(draft, favoured);
      assertThat(parity.blocks()).hasSize(4);
      assertThat(parity.blocks().stream().map(block -> (int) block.block().length()))
          .containsExactly(65536, 65536, 1000, 1000);
      draft.describe(manifest(source, 1), source);
      assertThat(store.find(source.inode())).isEmpty();
      committed = draft.commit();
    }

    assertThat(committed.file().path())
        .isEqualTo("/store/parity/%03x/%d".formatted(source.inode() & 0xfff, source.inode()));
    assertThat(store.sourceOf(committed.file().path())).contains(source.inode());
    assertThat(store.sourceOf(ROOT + "/parity/000/" + source.inode() + "1")).isEmpty();
    assertThat(store.sourceOf("/")).isEmpty();
    assertThat(committed.manifest()).isEqualTo(manifest(source, 1));
    assertThat(committed.phase()).isEqualTo(ParityPhase.COMMITTED);
    for (int i = 0; i < LENGTHS.length; i++) {
      assertThat(committed.file().blocks().get(i).live())
          .extracting(Replica::node)
          .as("unit %d", i)
          .containsExactly(favoured.get(i));
    }
    ParityFile found = store.find(source.inode()).orElseThrow();
    assertThat(found.manifest()).isEqualTo(committed.manifest());
    assertThat(found.file().contents()).isEqualTo(committed.file().contents());
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < LENGTHS.length; i++) {
      expected.writeBytes(RealHdfs.bytes(i, LENGTHS[i]));
    }
    try (FSDataInputStream in = fs.open(new Path(committed.file().path()))) {
      assertThat(in.readAllBytes()).isEqualTo(expected.toByteArray());
    }
    assertThat(drafts()).isEmpty();
    List<Long> inodes = new ArrayList<>();
    store.forEach(inodes::add);
    assertThat(inodes).containsExactly(source.inode());
    assertThat(store.find(source.inode() + 1)).isEmpty();
  }

  @Test
  void parityCanHaveMoreReplicas() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    try (ParityDraft draft = store.draft(source.inode())) {
      write(draft, nodes());
      draft.describe(manifest(source, 2), source);
      assertThat(draft.commit().file().replication()).isEqualTo(2);
    }
    RealHdfs.await(
        "two replicas of each unit",
        () ->
            store.find(source.inode()).orElseThrow().file().blocks().stream()
                .allMatch(block -> block.live().size() == 2));
  }

  @Test
  void parityFollowsTheStoragePolicyOfItsSourceAlsoInItsPlace() throws Exception {
    LocatedFile source = source("/sources/ssd", 2 * RealHdfs.BLOCK);
    StoragePolicy allSsd = namespace.storagePolicy(HdfsConstants.ALLSSD_STORAGE_POLICY_ID);
    try (ParityDraft draft = store.draft(source.inode())) {
      draft.follow(allSsd);
      write(draft, nodes());
      draft.describe(manifest(source, 1), source);

      assertThat(draft.commit().file().storagePolicy())
          .isEqualTo(HdfsConstants.ALLSSD_STORAGE_POLICY_ID);
    }
  }

  @Test
  void aSecondParityIsRefusedAndTheFirstStays() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    ParityFile first = commit(source);
    try (ParityDraft draft = store.draft(source.inode())) {
      write(draft, nodes());
      draft.describe(manifest(source, 1), source);
      assertThatThrownBy(draft::commit)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("quarantine it first");
    }
    assertThat(store.find(source.inode()).orElseThrow().file().inode())
        .isEqualTo(first.file().inode());
    assertThat(drafts()).isEmpty();
  }

  @Test
  void aUnitThatWasNotWrittenOrIsTooLongIsAnError() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    try (ParityDraft draft = store.draft(source.inode())) {
      try (UnitOutput unit = draft.create(0, Optional.empty(), 100)) {
        assertThatThrownBy(() -> unit.write(ByteBuffer.allocate(101)))
            .isInstanceOf(IOException.class);
        unit.write(ByteBuffer.allocate(99));
      }
      assertThatThrownBy(() -> draft.concat(2)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> draft.concat(1))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("99 bytes");
    }
  }

  @Test
  void aManifestThatIsTooLargeIsRefused() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    Manifest small = manifest(source, 1);
    Manifest large =
        new Manifest(
            "c",
            "p",
            small.codec(),
            small.layout(),
            3,
            1,
            1,
            small.members(),
            Collections.nCopies(3_000_000, small.stripes().get(0)));
    try (ParityDraft draft = store.draft(source.inode())) {
      write(draft, nodes());
      assertThatThrownBy(() -> draft.describe(large, source))
          .isInstanceOf(ManifestTooLargeException.class);
      assertThatThrownBy(() -> draft.requireStorable(large))
          .isInstanceOf(ManifestTooLargeException.class);
      draft.requireStorable(small);
    }
  }

  @Test
  void aManifestOfManyAttributesIsReadBack() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    Manifest small = manifest(source, 1);
    Manifest large =
        new Manifest(
            "c",
            "p",
            small.codec(),
            small.layout(),
            3,
            1,
            1,
            small.members(),
            Collections.nCopies(20_000, small.stripes().get(0)));
    try (ParityDraft draft = store.draft(source.inode())) {
      write(draft, nodes());
      draft.describe(large, source);
      assertThat(draft.commit().manifest()).isEqualTo(large);
    }
    assertThat(fs.getXAttrs(new Path(store.find(source.inode()).orElseThrow().file().path())))
        .hasSizeGreaterThan(10);
  }

  @Test
  void aPhaseIsKeptOnTheParity() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    commit(source);
    for (ParityPhase phase : ParityPhase.values()) {
      store.mark(source.inode(), phase);
      assertThat(store.find(source.inode()).orElseThrow().phase()).isEqualTo(phase);
    }
    assertThatThrownBy(() -> store.mark(987_654, ParityPhase.REDUCED))
        .isInstanceOf(java.io.FileNotFoundException.class);
  }

  @Test
  void draftsOfDeadDaemonsAreSweptAndLiveOnesAreNot() throws Exception {
    try (HdfsParityStore dead = store(ROOT)) {
      write(dead.draft(101), nodes());
      dead.draft(102);
    }
    fs.mkdirs(new Path(ROOT, "tmp/103-unmarked"));
    RealHdfs.write(fs, ROOT + "/tmp/104-notours/precious", 1, RealHdfs.BLOCK, new byte[1]);
    try (ParityDraft live = store.draft(105)) {
      assertThat(store.sweepDrafts()).isEqualTo(3);
      assertThat(drafts()).hasSize(2).anyMatch(name -> name.startsWith("105-"));
      assertThat(drafts()).contains("104-notours");
      write(live, nodes());
    }
    assertThat(drafts()).containsExactly("104-notours");
  }

  @Test
  void aCommitOfAFormerWriterThatArrivesLateIsRefused() throws Exception {
    LocatedFile source = source("/sources/late", 1000);
    try (HdfsParityStore former = store(ROOT)) {
      former.fencedBy(ofEpoch(6));
      ParityDraft draft = former.draft(source.inode());
      write(draft, nodes());
      draft.describe(manifest(source, 1), source);
      assertThat(drafts()).hasSize(1).allMatch(name -> name.startsWith(source.inode() + "-6-"));
      store.fencedBy(ofEpoch(7));
      assertThat(store.removeDeadDrafts()).isEqualTo(1);
      assertThatThrownBy(draft::commit).isInstanceOf(FileNotFoundException.class);
      assertThat(store.find(source.inode())).isEmpty();
    }
  }

  private static Fence ofEpoch(long epoch) {
    return new Fence() {
      @Override
      public void pass() {}

      @Override
      public long epoch() {
        return epoch;
      }
    };
  }

  @Test
  void anOlderDraftOfTheSameFileIsRemoved() throws Exception {
    write(store.draft(101), nodes());
    store.draft(1010);
    try (ParityDraft newer = store.draft(101)) {
      assertThat(drafts()).hasSize(2);
      write(newer, nodes());
    }
    assertThat(drafts()).hasSize(1).allMatch(name -> name.startsWith("1010-"));
  }

  @Test
  void quarantinedParityIsTakenBackOrPurged() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    ParityFile first = commit(source);
    assertThat(store.quarantine(source.inode())).isTrue();
    assertThat(store.quarantine(source.inode())).isFalse();
    assertThat(store.find(source.inode())).isEmpty();
    ParityFile second = commit(source);

    List<ParityFile> quarantined = quarantined();
    assertThat(quarantined).hasSize(1);
    assertThat(quarantined.get(0).file().inode()).isEqualTo(first.file().inode());
    assertThat(quarantined.get(0).manifest()).isEqualTo(first.manifest());
    assertThat(store.restore(quarantined.get(0))).as("there is committed parity").isFalse();

    assertThat(store.quarantine(source.inode())).isTrue();
    assertThat(quarantined()).hasSize(2);
    assertThat(store.restore(quarantined.get(0))).isTrue();
    assertThat(store.restore(quarantined.get(0))).as("it is gone from there").isFalse();
    assertThat(store.find(source.inode()).orElseThrow().file().inode())
        .isEqualTo(first.file().inode());

    ParityFile last = quarantined().get(0);
    assertThat(last.file().inode()).isEqualTo(second.file().inode());
    store.purge(last);
    store.purge(last);
    assertThat(quarantined()).isEmpty();
    assertThat(namespace.file(second.file().inode())).isEmpty();
  }

  @Test
  void quarantineCountsFromTheMoveAndNotFromTheEncoding() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    ParityFile committed = commit(source);
    long accessed = fs.getFileStatus(new Path(committed.file().path())).getAccessTime();
    fs.setTimes(new Path(committed.file().path()), 1_000, -1);
    long before = System.currentTimeMillis();

    assertThat(store.quarantine(source.inode())).isTrue();

    LocatedFile moved = quarantined().get(0).file();
    assertThat(moved.modified().toEpochMilli()).isGreaterThanOrEqualTo(before);
    assertThat(moved.accessed().toEpochMilli()).isEqualTo(accessed);

    fs.setTimes(new Path(moved.path()), before + 1_000_000, -1);
    store.stampAnew(quarantined().get(0));
    assertThat(quarantined().get(0).file().modified().toEpochMilli())
        .isBetween(before, before + 999_999);
    ParityFile gone = quarantined().get(0);
    store.purge(gone);
    store.stampAnew(gone);
    assertThat(quarantined()).isEmpty();
  }

  @Test
  void onlyTheParityThatWasMeantIsQuarantined() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    ParityFile first = commit(source);
    assertThat(store.quarantine(first)).isTrue();
    ParityFile second = commit(source);

    assertThat(store.quarantine(first)).isFalse();

    assertThat(store.find(source.inode()).orElseThrow().file().inode())
        .isEqualTo(second.file().inode());
    assertThat(store.quarantine(second)).isTrue();
    assertThat(quarantined()).hasSize(2);
  }

  @Test
  void parityOfAnotherClusterIsRefusedByName() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    ParityFile committed = commit(source);
    assertThat(bound("cluster", "pool").find(source.inode())).isPresent();
    assertThat(bound("upgraded", "pool").find(source.inode()))
        .as("an upgrade may change the id of the cluster, and never that of the block pool")
        .isPresent();
    assertThatIOException()
        .isThrownBy(() -> bound("cluster", "other").find(source.inode()))
        .withMessageContaining("cluster cluster, block pool pool")
        .withMessageContaining("copied from another cluster");

    store.quarantine(committed);

    // One that is from elsewhere must not keep the others from being looked at.
    assertThat(quarantined(bound("cluster", "pool"))).hasSize(1);
    assertThat(quarantined(bound("cluster", "other"))).isEmpty();
    assertThat(bound("cluster", "other").quarantined(source.inode())).isEmpty();
  }

  @Test
  void quarantinedParityWhoseManifestIsDamagedIsLeftAndDoesNotHideTheOthers() throws Exception {
    ParityFile damaged = commit(source("/sources/damaged", 1000));
    ParityFile sound = commit(source("/sources/sound", 1000));
    fs.setXAttr(new Path(damaged.file().path()), "user.raid.manifest.0", new byte[] {1, 2, 3});
    store.quarantine(sound);
    fs.mkdirs(new Path(ROOT, "quarantine/fff"));
    fs.setXAttr(
        new Path(ROOT, "quarantine/fff"), OwnedDirectories.MARK, "hdfs-raid".getBytes(US_ASCII));
    Path name = new Path(ROOT, "quarantine/fff/4095-" + damaged.file().inode());
    fs.rename(new Path(damaged.file().path()), name);

    assertThat(quarantined(store))
        .singleElement()
        .satisfies(file -> assertThat(file.file().inode()).isEqualTo(sound.file().inode()));
    assertThat(fs.exists(name)).isTrue();
  }

  private HdfsParityStore bound(String clusterId, String blockPool) throws IOException {
    HdfsParityStore bound =
        HdfsParityStore.open(
            hdfs.uri(),
            hdfs.configuration(),
            new ParitySettings(ROOT, ParitySettings.AccessRule.INHERIT),
            clusterId,
            blockPool);
    others.add(bound);
    return bound;
  }

  private List<ParityFile> quarantined() throws IOException {
    return quarantined(store);
  }

  private static List<ParityFile> quarantined(HdfsParityStore of) throws IOException {
    List<ParityFile> quarantined = new ArrayList<>();
    of.forEachQuarantined(quarantined::add);
    return quarantined;
  }

  @Test
  void whatIsNotInQuarantineIsNotPurged() throws Exception {
    ParityFile committed = commit(source("/sources/f", 1000));
    assertThatThrownBy(() -> store.purge(committed)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> store.restore(committed)).isInstanceOf(IllegalArgumentException.class);
    assertThat(fs.exists(new Path(committed.file().path()))).isTrue();
  }

  /** What cleaning up meets and must not delete, in every directory below the root. */
  static List<String> foreign() {
    return List.of(
        "note.txt",
        "theirs/deep/file",
        "parity/note.txt",
        "parity/0aa/170", // as ours, in a directory that is not marked
        "parity/unmarked/file",
        "group/note.txt",
        "group/0b/file",
        "tmp/note.txt",
        "tmp/17-theirs/file",
        "quarantine/note.txt",
        "quarantine/0cc/204-9");
  }

  @Test
  void nothingThatIsNotOursIsDeletedInAnyDirectoryWhateverIsCleanedUp() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    ParityFile parity = commit(source);
    Path inOurs = new Path(new Path(parity.file().path()).getParent(), "theirs");
    RealHdfs.write(fs, inOurs.toUri().getPath(), 1, RealHdfs.BLOCK, new byte[1]);
    for (String each : foreign()) {
      RealHdfs.write(fs, ROOT + "/" + each, 1, RealHdfs.BLOCK, new byte[1]);
    }
    // Not marked, but with a name of ours; and marked, but of another user.
    fs.mkdirs(new Path(ROOT, "parity/0dd"));
    fs.mkdirs(new Path(ROOT, "quarantine/0ee"));
    fs.setXAttr(
        new Path(ROOT, "quarantine/0ee"), OwnedDirectories.MARK, "hdfs-raid".getBytes(US_ASCII));
    fs.setOwner(new Path(ROOT, "quarantine/0ee"), "mallory", null);
    store.quarantine(source.inode());
    for (ParityFile each : quarantined()) {
      store.purge(each);
    }

    store.sweepDrafts();
    store.sweepDirectories(Instant.ofEpochMilli(Long.MAX_VALUE));
    Footprint left = store.footprint();
    assertThatThrownBy(store::removeDirectories)
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("entries that are not ours");
    assertThat(store.removeRoot()).as("removed a root that is not empty").isFalse();

    for (String each : foreign()) {
      assertThat(fs.exists(new Path(ROOT, each))).as(each).isTrue();
    }
    assertThat(fs.exists(inOurs)).isTrue();
    assertThat(fs.exists(new Path(ROOT, "parity/0dd"))).isTrue();
    assertThat(fs.exists(new Path(ROOT, "quarantine/0ee"))).isTrue();
    assertThat(left.committed() + left.quarantined() + left.drafts()).isZero();
    assertThat(left.foreign())
        .contains(
            ROOT + "/note.txt",
            ROOT + "/theirs",
            ROOT + "/parity/note.txt",
            ROOT + "/parity/0aa",
            ROOT + "/group/0b",
            ROOT + "/tmp/17-theirs",
            ROOT + "/quarantine/0cc",
            inOurs.toUri().getPath());
    assertThat(left.foreignEntries()).isEqualTo(left.foreign().size());
  }

  @Test
  void emptyDirectoriesAreRemovedOnceNothingHasHappenedToThem() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    ParityFile parity = commit(source);
    Path directory = new Path(parity.file().path()).getParent();
    Instant before = Instant.ofEpochMilli(fs.getFileStatus(directory).getModificationTime());
    store.quarantine(source.inode());

    assertThat(store.sweepDirectories(before)).as("just emptied").isZero();
    assertThat(store.sweepDirectories(Instant.ofEpochMilli(Long.MAX_VALUE))).isOne();

    assertThat(fs.exists(directory)).isFalse();
    assertThat(quarantined()).as("its directory is not empty").hasSize(1);
    assertThat(fs.exists(new Path(ROOT, "parity"))).isTrue();
    // What comes next makes its directory anew.
    assertThat(store.restore(quarantined().get(0))).isTrue();
    assertThat(store.find(source.inode())).isPresent();
  }

  @Test
  void theRootIsRemovedWhenNothingButItsDirectoriesIsLeft() throws Exception {
    LocatedFile source = source("/sources/f", 1000);
    commit(source);
    assertThat(store.footprint()).isEqualTo(new Footprint(true, 1, 0, 0, List.of(), 0));
    assertThatThrownBy(store::removeDirectories).hasMessageContaining("1 parity files");
    assertThat(store.find(source.inode())).isPresent();
    store.quarantine(source.inode());
    assertThat(store.footprint()).isEqualTo(new Footprint(true, 0, 1, 0, List.of(), 0));
    assertThatThrownBy(store::removeDirectories).hasMessageContaining("1 in quarantine");
    store.purge(quarantined().get(0));
    ParityDraft draft = store.draft(source.inode());
    assertThat(store.footprint()).isEqualTo(new Footprint(true, 0, 0, 1, List.of(), 0));
    assertThatThrownBy(store::removeDirectories).hasMessageContaining("1 drafts");
    draft.close();
    fs.create(new Path(ROOT, "owner")).close();

    store.removeDirectories();

    assertThat(fs.listStatus(new Path(ROOT))).hasSize(1);
    assertThat(store.removeRoot()).as("with the owner file in it").isFalse();
    fs.delete(new Path(ROOT, "owner"), false);
    assertThat(store.removeRoot()).isTrue();
    assertThat(store.footprint()).isEqualTo(Footprint.NONE);
    assertThat(store.removeRoot()).as("again").isTrue();
  }

  @Test
  void filesOfOthersAreLeftAlone() throws Exception {
    ParityFile committed = commit(source("/sources/f", 1000));
    Path path = new Path(committed.file().path());
    long inode = committed.manifest().members().get(0).inode();
    RealHdfs.write(fs, path.getParent() + "/readme.txt", 1, RealHdfs.BLOCK, new byte[1]);
    RealHdfs.write(fs, path.getParent() + "/7", 1, RealHdfs.BLOCK, new byte[1]);
    fs.setOwner(path, "mallory", null);

    List<Long> inodes = new ArrayList<>();
    store.forEach(inodes::add);
    assertThat(inodes).isEmpty();
    assertThatThrownBy(() -> store.quarantine(inode)).hasMessageContaining("mallory");

    fs.setOwner(path, fs.getFileStatus(new Path(ROOT)).getOwner(), null);
    fs.removeXAttr(path.getParent(), OwnedDirectories.MARK);
    assertThatThrownBy(() -> store.quarantine(inode))
        .hasMessageContaining("not a file of this product");
  }

  @Test
  void filesOfOthersInQuarantineAreNeitherRestoredNorPurged() throws Exception {
    long inode = commit(source("/sources/f", 1000)).manifest().members().get(0).inode();
    store.quarantine(inode);
    ParityFile kept = store.quarantined(inode).get(0);
    Path path = new Path(kept.file().path());
    String us = fs.getFileStatus(path).getOwner();

    fs.setOwner(path, "mallory", null);
    assertThatThrownBy(() -> store.restore(kept)).hasMessageContaining("mallory");
    assertThatThrownBy(() -> store.purge(kept)).hasMessageContaining("mallory");

    fs.setOwner(path, us, null);
    fs.removeXAttr(path.getParent(), OwnedDirectories.MARK);
    assertThatThrownBy(() -> store.restore(kept))
        .hasMessageContaining("not a file of this product");
    assertThatThrownBy(() -> store.purge(kept)).hasMessageContaining("not a file of this product");
    assertThat(fs.exists(path)).isTrue();
  }

  @Test
  void parityThatSomebodyRenamedInQuarantineIsLeftAlone() throws Exception {
    long inode = commit(source("/sources/f", 1000)).manifest().members().get(0).inode();
    store.quarantine(inode);
    Path path = new Path(store.quarantined(inode).get(0).file().path());
    Path renamed = new Path(path.getParent(), inode + "-7");
    assertThat(fs.rename(path, renamed)).isTrue();

    List<ParityFile> found = new ArrayList<>();
    store.forEachQuarantined(found::add);

    assertThat(found).isEmpty();
    assertThat(store.quarantined(inode)).isEmpty();
    assertThat(fs.exists(renamed)).isTrue();
  }

  @Test
  void theRootIsPreparedOnceAndForAll() throws Exception {
    for (FileStatus status : fs.listStatus(new Path(ROOT))) {
      assertThat(status.getPermission()).isEqualTo(new FsPermission("711"));
    }
    assertThat(fs.getFileStatus(new Path(ROOT)).getPermission()).isEqualTo(new FsPermission("711"));
    ParityFile committed = commit(source("/sources/f", 1000));
    store.prepare();
    assertThat(fs.exists(new Path(committed.file().path()))).isTrue();
    assertThat(drafts()).isEmpty();
  }

  @Test
  void aRootThatIsNotOursIsRefused() throws Exception {
    RealHdfs.write(fs, "/sources/full/precious", 1, RealHdfs.BLOCK, new byte[1]);
    assertRefused("/sources/full", "is not ours");
    assertRefused("/sources/full/precious", "a file");
    fs.mkdirs(new Path("/sources/hers"));
    fs.setOwner(new Path("/sources/hers"), "alice", null);
    assertRefused("/sources/hers", "alice");
    assertThat(fs.listStatus(new Path("/sources/full"))).hasSize(1);

    fs.mkdirs(new Path("/sources/empty"));
    try (HdfsParityStore other = store("/sources/empty")) {
      other.prepare();
    }
  }

  @Test
  void aRootInAnEncryptionZoneIsRefused() throws Exception {
    Path zone = new Path("/sources/zone");
    fs.mkdirs(zone);
    new HdfsAdmin(hdfs.uri(), hdfs.configuration())
        .createEncryptionZone(zone, RealHdfs.KEY, EnumSet.of(CreateEncryptionZoneFlag.NO_TRASH));
    assertRefused("/sources/zone/deep/raid", "encryption zone /sources/zone");
  }

  @Test
  void aRootWithSnapshotsIsRefused() throws Exception {
    Path above = new Path("/sources/above");
    fs.mkdirs(above);
    fs.allowSnapshot(above);
    assertRefused("/sources/above/deep/raid", "/sources/above allows snapshots");
    fs.disallowSnapshot(above);
    fs.allowSnapshot(new Path(ROOT, "parity"));
    assertRefused(ROOT, "/store/parity allows snapshots");
    fs.disallowSnapshot(new Path(ROOT, "parity"));
    fs.allowSnapshot(new Path("/"));
    assertRefused(ROOT, "/ allows snapshots");
    fs.disallowSnapshot(new Path("/"));
  }

  private void assertRefused(String root, String reason) throws IOException {
    try (HdfsParityStore refused = store(root)) {
      assertThatThrownBy(refused::prepare)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining(reason);
    }
  }

  @Test
  void onlyWhoMayReadTheSourceMayReadTheParity() throws Exception {
    LocatedFile source = source("/sources/project/f", 1000);
    fs.setOwner(new Path("/sources/project/f"), "bob", "staff");
    fs.setPermission(new Path("/sources/project/f"), new FsPermission("644"));
    Path parity = new Path(commit(source).file().path());
    for (String user : new String[] {"bob", "alice"}) {
      assertThat(mayRead(user, parity)).as(user).isTrue();
    }

    fs.setOwner(new Path("/sources/project"), "bob", "staff");
    fs.setPermission(new Path("/sources/project"), new FsPermission("700"));
    store.refreshAccess(source.inode());
    assertThat(mayRead("bob", parity)).isTrue();
    assertThat(mayRead("alice", parity)).as("alice has no x on the directory").isFalse();

    fs.setPermission(new Path("/sources/project"), new FsPermission("755"));
    fs.setPermission(new Path("/sources/project/f"), new FsPermission("000"));
    store.refreshAccess(source.inode());
    assertThat(mayRead("bob", parity) || mayRead("alice", parity)).isFalse();

    fs.setPermission(new Path("/sources/project/f"), new FsPermission("400"));
    store.refreshAccess(source.inode());
    assertThat(mayRead("bob", parity)).isTrue();
    assertThat(mayForge("bob", parity)).isFalse();
    assertThat(mayRead("alice", parity)).isFalse();
    store.refreshAccess(987_654_321);
  }

  /** The edit log may have reported the change of the directory meanwhile. */
  @Test
  void aRefreshOfManyFilesSetsNoRightsByADirectoryAsItWas() throws Exception {
    Path directory = new Path("/sources/many");
    LocatedFile one = source("/sources/many/one", 1000);
    LocatedFile two = source("/sources/many/two", 1000);
    fs.setPermission(new Path("/sources/many/one"), new FsPermission("644"));
    fs.setPermission(new Path("/sources/many/two"), new FsPermission("644"));
    Path parityOfOne = new Path(commit(one).file().path());
    Path parityOfTwo = new Path(commit(two).file().path());
    ParityStore.AccessRefresh refresh = store.accessRefresh();
    refresh.of(one.inode());
    assertThat(mayRead("alice", parityOfOne)).isTrue();

    fs.setPermission(directory, new FsPermission("700"));
    store.refreshAccess(two.inode());
    refresh.of(two.inode());
    assertThat(mayRead("alice", parityOfTwo)).isFalse();

    store.accessRefresh().of(one.inode());
    assertThat(mayRead("alice", parityOfOne)).isFalse();
    store.accessRefresh().of(987_654_321);
  }

  private boolean mayRead(String user, Path parity) throws Exception {
    return RealHdfs.as(
        user,
        () -> {
          try (DistributedFileSystem theirs = client();
              FSDataInputStream in = theirs.open(parity)) {
            in.readFully(0, new byte[1]);
            assertThat(new ParityReader(theirs, ROOT).read(parity.toUri().getPath())).isPresent();
            return true;
          } catch (AccessControlException e) {
            return false;
          }
        });
  }

  private boolean mayForge(String user, Path parity) throws Exception {
    return RealHdfs.as(
        user,
        () -> {
          try (DistributedFileSystem theirs = client()) {
            theirs.setXAttr(parity, "user.raid.manifest.0", new byte[1]);
            return true;
          } catch (AccessControlException e) {
            return false;
          }
        });
  }

  private DistributedFileSystem client() throws IOException {
    return (DistributedFileSystem)
        DistributedFileSystem.newInstance(hdfs.uri(), hdfs.configuration());
  }

  /** A call that changes something below the root, or on a file. */
  private interface Change {
    void make() throws IOException;
  }

  /** HDFS has no conditional change: the fence is checked right before each one is sent. */
  @Test
  void aStoreWhoseOwnerWasDeposedChangesNothing() throws Exception {
    LocatedFile source = source("/sources/kept", 3 * RealHdfs.BLOCK);
    ParityFile kept = commit(source);
    LocatedFile retired = source("/sources/retired", 3 * RealHdfs.BLOCK);
    ParityFile away = commit(retired);
    assertThat(store.quarantine(away)).isTrue();
    ParityFile quarantined = store.quarantined(retired.inode()).get(0);
    LocatedFile late = source("/sources/late", 3 * RealHdfs.BLOCK);
    ParityDraft open = store.draft(late.inode());
    write(open, nodes());
    Footprint before = store.footprint();

    store.fencedBy(
        () -> {
          throw new DeposedException("Another one has taken over");
        });
    GroupId group = GroupId.fresh(new java.util.Random(1));
    List<Change> changes =
        List.of(
            () -> store.mark(source.inode(), ParityPhase.REDUCED),
            () -> store.refreshAccess(source.inode()),
            () -> store.accessRefresh().of(source.inode()),
            () -> store.hint(source.inode(), group),
            () -> store.release(group, List.of(source.inode())),
            () -> store.draft(late.inode()),
            () -> open.create(9, Optional.empty(), 1),
            () -> open.describe(manifest(late, 1), late),
            open::commit,
            open::close,
            () -> store.quarantine(kept),
            () -> store.restore(quarantined),
            () -> store.purge(quarantined),
            store::sweepDrafts,
            () -> store.sweepDirectories(Instant.MAX),
            store::removeDirectories);
    for (int i = 0; i < changes.size(); i++) {
      assertThatThrownBy(changes.get(i)::make)
          .as("change %d", i)
          .isInstanceOf(DeposedException.class);
    }

    store.fencedBy(Fence.OPEN);
    assertThat(store.footprint()).isEqualTo(before);
    assertThat(store.find(source.inode()).orElseThrow().phase()).isEqualTo(ParityPhase.COMMITTED);
    assertThat(store.hintOf(source.inode())).isEmpty();
    open.close();
  }

  private boolean strangersRead(String parity) throws Exception {
    return RealHdfs.as(
        "stranger",
        () -> {
          try (org.apache.hadoop.fs.FileSystem theirs =
                  org.apache.hadoop.fs.FileSystem.newInstance(hdfs.uri(), hdfs.configuration());
              InputStream in = theirs.open(new Path(parity))) {
            return in.read() >= 0;
          } catch (AccessControlException e) {
            return false;
          }
        });
  }

  /** Nobody adapts its rights there when the rights of the file change. */
  @Test
  void nobodyButTheDaemonReadsWhatIsInQuarantine() throws Exception {
    LocatedFile source = source("/sources/public", 3 * RealHdfs.BLOCK);
    fs.setPermission(new Path(source.path()), new FsPermission("644"));
    ParityFile committed = commit(source);
    assertThat(strangersRead(committed.file().path())).isTrue();

    assertThat(store.quarantine(committed)).isTrue();
    ParityFile kept = store.quarantined(source.inode()).get(0);
    assertThat(strangersRead(kept.file().path())).isFalse();
    assertThat(store.hideQuarantined()).isZero();

    fs.setPermission(new Path(kept.file().path()), new FsPermission("644")); // by an older version
    assertThat(store.hideQuarantined()).isEqualTo(1);
    assertThat(strangersRead(kept.file().path())).isFalse();

    assertThat(store.restore(kept)).isTrue();
    assertThat(strangersRead(store.find(source.inode()).orElseThrow().file().path())).isTrue();
  }

  @Test
  void parityThatComesBackHasTheRightsThatItsFileHasNow() throws Exception {
    LocatedFile source = source("/sources/closed", 3 * RealHdfs.BLOCK);
    fs.setPermission(new Path(source.path()), new FsPermission("644"));
    assertThat(store.quarantine(commit(source))).isTrue();
    fs.setPermission(new Path(source.path()), new FsPermission("600"));
    assertThat(store.restore(store.quarantined(source.inode()).get(0))).isTrue();
    assertThat(strangersRead(store.find(source.inode()).orElseThrow().file().path())).isFalse();
  }
}
