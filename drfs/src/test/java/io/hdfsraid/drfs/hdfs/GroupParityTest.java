// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.drfs.block.Block;
import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.RowLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Parity that several files share, on a real HDFS. */
@ExtendWith(RealHdfs.class)
class GroupParityTest {
  private static final String ROOT = "/groups";
  private static final String HINT = "user.raid.group";

  private final EmbeddedHdfs hdfs;
  private final DistributedFileSystem fs;
  private final HdfsNamespace namespace;
  private final GroupId group = GroupId.fresh(new Random(3));
  private HdfsParityStore store;

  GroupParityTest(EmbeddedHdfs hdfs) {
    this.hdfs = hdfs;
    this.fs = hdfs.fileSystem();
    this.namespace = new HdfsNamespace(fs);
  }

  @BeforeEach
  void openStore() throws IOException {
    fs.delete(new Path(ROOT), true);
    fs.delete(new Path("/members"), true);
    fs.delete(new Path("/elsewhere"), true);
    store =
        HdfsParityStore.open(
            hdfs.uri(),
            hdfs.configuration(),
            new ParitySettings(ROOT, ParitySettings.AccessRule.INHERIT));
    store.prepare();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  private LocatedFile member(String path) throws IOException {
    RealHdfs.write(fs, path, 1, RealHdfs.BLOCK, RealHdfs.bytes(1, 1000));
    return namespace.file(path).orElseThrow();
  }

  private ParityFile commit(LocatedFile... members) throws IOException {
    List<Member> named = new ArrayList<>();
    List<DataUnit> data = new ArrayList<>();
    for (LocatedFile member : members) {
      Block block = member.blocks().get(0).block();
      data.add(new DataUnit(named.size(), block, 4711));
      named.add(new Member(member.inode(), member.length()));
    }
    try (ParityDraft draft = store.draft(group.value())) {
      try (UnitOutput unit = draft.create(0, Optional.empty(), 1000)) {
        unit.write(ByteBuffer.wrap(RealHdfs.bytes(2, 1000)));
      }
      draft.concat(1);
      draft.describe(
          new Manifest(
              "cluster",
              "pool",
              "xor-3-1",
              new RowLayout(1, RowLayout.DEFAULT_CHUNK),
              3,
              1,
              1,
              named,
              List.of(new Stripe(data, List.of(1)))),
          members[0]);
      return draft.commit();
    }
  }

  @Test
  void aGroupIsFoundListedAndQuarantinedByItsNumberAsAFileIsByItsInode() throws Exception {
    LocatedFile a = member("/members/a");
    LocatedFile b = member("/members/b");
    ParityFile committed = commit(a, b);

    assertThat(committed.file().path())
        .isEqualTo("/groups/group/%02x/%d".formatted(group.family() & 0xff, group.value()));
    assertThat(store.sourceOf(committed.file().path())).contains(group.value());
    List<Long> ids = new ArrayList<>();
    store.forEach(ids::add);
    assertThat(ids).containsExactly(group.value());
    assertThat(committed.manifest().neighboursOf(a.blocks().get(0).block()))
        .containsExactlyInAnyOrder(a.inode(), b.inode());

    store.release(group, List.of(b.inode(), a.inode()));
    assertThat(store.find(group.value()).orElseThrow().leaving())
        .isEqualTo(Set.of(a.inode(), b.inode()));

    assertThat(store.quarantine(committed)).isTrue();
    assertThat(store.find(group.value())).isEmpty();
    List<ParityFile> quarantined = new ArrayList<>();
    store.forEachQuarantined(quarantined::add);
    assertThat(quarantined).hasSize(1);
    assertThat(store.restore(quarantined.get(0))).isTrue();
    assertThat(store.find(group.value())).isPresent();
  }

  @Test
  void aHintIsBelievedOnlyAsFarAsTheManifestSaysTheSame() throws Exception {
    LocatedFile member = member("/members/a");
    LocatedFile stranger = member("/members/stranger");
    commit(member);
    ParityReader reader = new ParityReader(fs, ROOT);
    assertThat(reader.findGroup(member)).as("no hint").isEmpty();

    store.hint(member.inode(), group);
    store.hint(stranger.inode(), group);
    assertThat(reader.findGroup(member)).isPresent();
    assertThat(reader.findGroup(stranger)).as("the manifest does not name it").isEmpty();

    for (String forged : new String[] {"", "x", "16387", "-1", "../../a", group.value() + "9"}) {
      fs.setXAttr(
          new Path("/members/a"), HINT, forged.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      assertThat(reader.findGroup(member)).as("forged: '%s'", forged).isEmpty();
    }
    store.hint(member.inode(), group);
    assertThat(reader.findGroup(member)).as("put back").isPresent();

    store.unhint(member.inode(), group.successor());
    assertThat(reader.findGroup(member)).as("another group's hint is not removed").isPresent();
    store.unhint(member.inode(), group);
    store.unhint(member.inode(), group);
    assertThat(fs.getXAttrs(new Path("/members/a"))).isEmpty();
  }

  /** The hint on a file in a snapshot names the generation of that day. */
  @Test
  void aHintOfAnEarlierGenerationLeadsToTheOneThatNamesTheFile() throws Exception {
    LocatedFile member = member("/members/a");
    commit(member);
    store.hint(member.inode(), group.predecessor().predecessor());
    ParityReader reader = new ParityReader(fs, ROOT);
    assertThat(reader.findGroup(member)).isPresent();
  }

  @Test
  void theHintOnTheLiveFileLeadsToTheGroupOfAFileInASnapshot() throws Exception {
    Path directory = new Path("/snapped");
    fs.mkdirs(directory);
    fs.allowSnapshot(directory);
    try {
      LocatedFile live = member("/snapped/a");
      store.hint(live.inode(), GroupId.fresh(new Random(4)));
      fs.createSnapshot(directory, "s");
      commit(live);
      store.hint(live.inode(), group);
      LocatedFile old = namespace.file("/snapped/.snapshot/s/a").orElseThrow();
      assertThat(new ParityReader(fs, ROOT).findGroup(old)).isPresent();
    } finally {
      fs.deleteSnapshot(directory, "s");
      fs.disallowSnapshot(directory);
      fs.delete(directory, true);
    }
  }

  @Test
  void aFileThatCanCarryNoMoreAttributesIsLeftWithoutAHint() throws Exception {
    LocatedFile full = member("/members/full");
    for (int i = 0; i < 32; i++) {
      fs.setXAttr(
          new Path("/members/full"), "user.own." + i, new byte[1], EnumSet.of(XAttrSetFlag.CREATE));
    }
    store.hint(full.inode(), group);
    store.hint(full.inode() + 1_000_000, group);
    assertThat(fs.getXAttrs(new Path("/members/full"))).hasSize(32).doesNotContainKey(HINT);
  }

  @Test
  void filesAreKinWhenTheyLieInOneDirectoryWithTheSameRights() throws Exception {
    List<LocatedFile> files = new ArrayList<>();
    for (String path :
        new String[] {
          "/members/a",
          "/members/b",
          "/members/mode",
          "/members/owner",
          "/members/acl",
          "/members/policy",
          "/elsewhere/a"
        }) {
      files.add(member(path));
    }
    fs.setPermission(new Path("/members/mode"), new FsPermission("600"));
    fs.setOwner(new Path("/members/owner"), "bob", null);
    fs.modifyAclEntries(
        new Path("/members/acl"),
        org.apache.hadoop.fs.permission.AclEntry.parseAclSpec("user:alice:---", true));
    fs.setStoragePolicy(new Path("/members/policy"), "COLD");

    Map<Long, String> kin = store.groupKeys(files.stream().map(LocatedFile::inode).toList());

    assertThat(kin.get(files.get(0).inode())).isEqualTo(kin.get(files.get(1).inode()));
    assertThat(Set.copyOf(kin.values())).as("%s", kin).hasSize(6);
    fs.delete(new Path("/members/a"), false);
    assertThat(store.groupKeys(List.of(files.get(0).inode()))).isEmpty();
  }

  @Test
  void theParityOfMembersWithDifferentRightsIsReadableByTheDaemonAlone() throws Exception {
    LocatedFile a = member("/members/a");
    LocatedFile b = member("/members/b");
    Path parity = new Path(commit(a, b).file().path());
    assertThat(fs.getFileStatus(parity).getPermission()).isEqualTo(new FsPermission("644"));

    fs.setPermission(new Path("/members/b"), new FsPermission("600"));
    store.refreshAccess(group.value());
    assertThat(fs.getFileStatus(parity).getPermission()).isEqualTo(new FsPermission("600"));

    fs.delete(new Path("/members/b"), false);
    store.refreshAccess(group.value());
    assertThat(fs.getFileStatus(parity).getPermission())
        .as("it still reveals something about the deleted one, which a snapshot may hold")
        .isEqualTo(new FsPermission("600"));
    store.refreshAccess(group.successor().value());
  }

  /** The snapshot holds the block of the deleted member, which the parity reveals. */
  @Test
  void parityGetsNoNewReadersOnceAMemberIsGone() throws Exception {
    Path directory = new Path("/snapped");
    fs.mkdirs(directory);
    fs.allowSnapshot(directory);
    try {
      LocatedFile a = member("/snapped/a");
      LocatedFile b = member("/snapped/b");
      for (LocatedFile member : List.of(a, b)) {
        fs.setPermission(new Path(member.path()), new FsPermission("600"));
      }
      Path parity = new Path(commit(a, b).file().path());
      assertThat(mayRead("alice", parity)).isFalse();
      fs.createSnapshot(directory, "s");
      fs.delete(new Path(b.path()), false);
      assertThat(fs.exists(new Path("/snapped/.snapshot/s/b"))).isTrue();

      fs.setPermission(new Path(a.path()), new FsPermission("644"));
      store.refreshAccess(group.value());
      assertThat(mayRead("alice", parity)).isFalse();
    } finally {
      fs.deleteSnapshot(directory, "s");
      fs.disallowSnapshot(directory);
      fs.delete(directory, true);
    }
  }

  @Test
  void parityKeepsTheReadersThatTheRemainingMembersStillHave() throws Exception {
    LocatedFile a = member("/members/a");
    LocatedFile b = member("/members/b");
    for (LocatedFile member : List.of(a, b)) {
      fs.setOwner(new Path(member.path()), "bob", "staff");
      fs.setPermission(new Path(member.path()), new FsPermission("640"));
    }
    Path parity = new Path(commit(a, b).file().path());
    assertThat(mayRead("bob", parity)).isTrue();
    fs.delete(new Path(b.path()), false);
    store.refreshAccess(group.value());
    assertThat(mayRead("bob", parity)).isTrue();
    assertThat(mayRead("alice", parity)).isFalse();

    fs.setPermission(new Path(a.path()), new FsPermission("600"));
    store.refreshAccess(group.value());
    assertThat(mayRead("alice", parity)).isFalse();
    fs.setPermission(new Path(a.path()), new FsPermission("644"));
    store.refreshAccess(group.value());
    assertThat(mayRead("alice", parity)).isFalse();
  }

  @Test
  void parityWithoutAnySourceKeepsItsReadersForTheSnapshot() throws Exception {
    LocatedFile a = member("/members/a");
    LocatedFile b = member("/members/b");
    ParityFile committed = commit(a, b);
    Path parity = new Path(committed.file().path());
    assertThat(mayRead("alice", parity)).isTrue();
    fs.delete(new Path("/members"), true);
    store.refreshAccess(group.value());
    assertThat(mayRead("alice", parity)).isTrue();

    assertThat(store.quarantine(committed)).isTrue();
    ParityFile kept = store.quarantined(group.value()).get(0);
    assertThat(mayRead("alice", new Path(kept.file().path()))).isFalse();
    assertThat(store.restore(kept)).isTrue();
    assertThat(mayRead("alice", parity)).as("nothing says who may").isFalse();
  }

  private boolean mayRead(String user, Path path) throws Exception {
    return RealHdfs.as(
        user,
        () -> {
          try (DistributedFileSystem theirs =
                  (DistributedFileSystem) FileSystem.newInstance(hdfs.uri(), hdfs.configuration());
              FSDataInputStream in = theirs.open(path)) {
            in.readFully(0, new byte[1]);
            return true;
          } catch (AccessControlException e) {
            return false;
          }
        });
  }
}
