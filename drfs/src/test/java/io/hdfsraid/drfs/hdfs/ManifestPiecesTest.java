// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.manifest.DataUnit;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.ManifestFormat;
import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.manifest.Member;
import io.hdfsraid.drfs.manifest.NewerManifestException;
import io.hdfsraid.drfs.manifest.Stripe;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.Footprint;
import io.hdfsraid.drfs.parity.ParityDraft;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.UnitOutput;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.erasurecode.RowLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RealHdfs.class)
class ManifestPiecesTest {
  private static final String ROOT = "/pieces";

  private final EmbeddedHdfs hdfs;
  private final DistributedFileSystem fs;
  private HdfsParityStore store;
  private LocatedFile source;

  ManifestPiecesTest(EmbeddedHdfs hdfs) {
    this.hdfs = hdfs;
    this.fs = hdfs.fileSystem();
  }

  @BeforeEach
  void open() throws IOException {
    fs.delete(new Path(ROOT), true);
    store = openStore();
    store.prepare();
    RealHdfs.write(fs, "/large/f", 3, RealHdfs.BLOCK, RealHdfs.bytes(1, 100));
    fs.setPermission(new Path("/large/f"), new FsPermission("644"));
    source = new HdfsNamespace(fs).file("/large/f").orElseThrow();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private HdfsParityStore openStore() throws IOException {
    return HdfsParityStore.open(
        hdfs.uri(),
        hdfs.configuration(),
        new ParitySettings(ROOT, ParitySettings.AccessRule.INHERIT));
  }

  /** So many stripes that HDFS takes the manifest in the attributes of three files. */
  private Manifest large() {
    List<DataUnit> data = List.of(new DataUnit(0, source.blocks().get(0).block(), 4711));
    Manifest large =
        new Manifest(
            "cluster",
            "pool",
            "rs-3-2",
            new RowLayout(1, RowLayout.DEFAULT_CHUNK),
            3,
            1,
            1,
            List.of(new Member(source.inode(), source.length())),
            Collections.nCopies(70_000, new Stripe(data, List.of(1, 2))));
    assertThat(ManifestFormat.encode(large).length)
        .isBetween(2 * ManifestXAttrs.PIECE_BYTES, 3 * ManifestXAttrs.PIECE_BYTES);
    return large;
  }

  private LocatedFile describe(ParityDraft draft) throws IOException {
    try (UnitOutput unit = draft.create(0, Optional.empty(), 100)) {
      unit.write(ByteBuffer.allocate(100));
    }
    LocatedFile written = draft.concat(1);
    draft.describe(large(), source);
    return written;
  }

  private ParityFile commit() throws IOException {
    try (ParityDraft draft = store.draft(source.inode())) {
      LocatedFile unused = describe(draft);
      return draft.commit();
    }
  }

  private List<Path> pieces() throws IOException {
    return Arrays.stream(fs.listStatus(new Path(ROOT, "manifest")))
        .map(FileStatus::getPath)
        .toList();
  }

  private boolean strangersReadEachPiece() throws Exception {
    List<Path> pieces = pieces();
    return RealHdfs.as(
        "stranger",
        () -> {
          try (org.apache.hadoop.fs.FileSystem theirs =
              org.apache.hadoop.fs.FileSystem.newInstance(hdfs.uri(), hdfs.configuration())) {
            int read = 0;
            for (Path piece : pieces) {
              read += mayRead(theirs, piece) ? 1 : 0;
            }
            assertThat(read).as("none or all of %s", pieces).isIn(0, pieces.size());
            return read > 0;
          }
        });
  }

  private static boolean mayRead(org.apache.hadoop.fs.FileSystem theirs, Path piece)
      throws IOException {
    try {
      return !theirs.getXAttrs(piece).isEmpty();
    } catch (AccessControlException e) {
      return false;
    }
  }

  @Test
  void aLargeManifestIsReadBackByEverybodyWhoMayReadTheFile() throws Exception {
    ParityFile committed = commit();

    assertThat(committed.manifest()).isEqualTo(large());
    long inode = committed.file().inode();
    assertThat(pieces())
        .extracting(Path::getName)
        .containsExactlyInAnyOrder(inode + ".1", inode + ".2");
    assertThat(strangersReadEachPiece()).isTrue();
    assertThat(store.footprint()).isEqualTo(new Footprint(true, 1, 0, 0, List.of(), 0));

    fs.setPermission(new Path("/large/f"), new FsPermission("600"));
    store.refreshAccess(source.inode());
    assertThat(strangersReadEachPiece()).isFalse();
  }

  @Test
  void thePiecesFollowTheirParityIntoQuarantineAndBackAndAreGoneWithIt() throws Exception {
    ParityFile committed = commit();
    assertThat(store.quarantine(committed)).isTrue();
    ParityFile kept = store.quarantined(source.inode()).get(0);
    assertThat(kept.manifest()).isEqualTo(large());
    assertThat(strangersReadEachPiece()).isFalse();

    assertThat(store.restore(kept)).isTrue();
    assertThat(store.find(source.inode()).orElseThrow().manifest()).isEqualTo(large());
    assertThat(strangersReadEachPiece()).isTrue();

    assertThat(store.quarantine(source.inode())).isTrue();
    assertThat(store.sweepDrafts()).isZero();
    store.purge(store.quarantined(source.inode()).get(0));
    assertThat(pieces()).isEmpty();
    store.removeDirectories();
    assertThat(store.removeRoot()).isTrue();
  }

  @Test
  void anotherProcessKnowsThePiecesThatItHasNotWritten() throws Exception {
    ParityFile committed = commit();
    store.close();
    store = openStore();

    assertThat(store.quarantine(committed)).isTrue();
    assertThat(strangersReadEachPiece()).isFalse();
    store.purge(store.quarantined(source.inode()).get(0));
    assertThat(pieces()).isEmpty();
  }

  @Test
  void thePiecesOfAGivenUpDraftAreRemoved() throws Exception {
    try (ParityDraft draft = store.draft(source.inode())) {
      LocatedFile unused = describe(draft);
      assertThat(pieces()).hasSize(2);
    }
    assertThat(pieces()).isEmpty();
  }

  @Test
  void whatADeadDaemonLeftIsSweptAndWhatIsInUseIsNot() throws Exception {
    ParityFile committed = commit();
    try (HdfsParityStore dead = openStore()) {
      LocatedFile unused = describe(dead.draft(4_711));
    }
    String deleted = "9" + pieces().get(0).getName(); // of an inode that never was
    fs.create(new Path(ROOT + "/manifest/" + deleted)).close();
    Path foreign = new Path(ROOT, "manifest/mine");
    fs.create(foreign).close();
    assertThat(store.footprint())
        .isEqualTo(new Footprint(true, 1, 0, 2, List.of(foreign.toUri().getPath()), 1));

    assertThat(store.sweepDrafts()).as("the draft, and what is left of two").isEqualTo(3);
    assertThat(pieces()).hasSize(3).extracting(Path::getName).contains("mine");
    assertThat(store.find(source.inode())).contains(committed);
  }

  @Test
  void aLostPieceIsReportedAsDamage() throws Exception {
    ParityFile committed = commit();
    fs.delete(new Path(ROOT, "manifest/" + committed.file().inode() + ".2"), false);

    assertThatThrownBy(() -> store.find(source.inode()))
        .isInstanceOf(ManifestFormatException.class)
        .isNotInstanceOf(NewerManifestException.class)
        .hasMessageContaining(committed.file().path())
        .hasMessageContaining("Piece 2 of 2");
  }

  @Test
  void aPieceOfAnotherManifestIsReportedAsDamage() throws Exception {
    ParityFile committed = commit();
    Path first = new Path(ROOT, "manifest/" + committed.file().inode() + ".1");
    fs.setXAttr(first, "user.raid.manifest.3", new byte[100]);

    assertThatThrownBy(() -> store.find(source.inode()))
        .isInstanceOf(ManifestFormatException.class)
        .hasMessageContaining(committed.file().path());
  }

  @Test
  void versionsThatKnowNothingOfPiecesTakeThemForANewerFormat() throws Exception {
    Map<String, byte[]> attributes =
        fs.getXAttrs(new Path(commit().file().path()), List.of("user.raid.manifest.0"));

    assertThatThrownBy(() -> ManifestFormat.decode(attributes.get("user.raid.manifest.0")))
        .isInstanceOf(NewerManifestException.class);
  }
}
