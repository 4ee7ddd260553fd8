// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.recency.editlog.EditBatch;
import io.hdfsraid.recency.hdfs.InotifyEditLog;
import io.hdfsraid.recency.namespace.NamespaceEvent;
import io.hdfsraid.recency.namespace.NamespaceEvent.AccessSet;
import io.hdfsraid.recency.namespace.NamespaceEvent.Appended;
import io.hdfsraid.recency.namespace.NamespaceEvent.Closed;
import io.hdfsraid.recency.namespace.NamespaceEvent.DirectoryCreated;
import io.hdfsraid.recency.namespace.NamespaceEvent.FileCreated;
import io.hdfsraid.recency.namespace.NamespaceEvent.OwnerSet;
import io.hdfsraid.recency.namespace.NamespaceEvent.Renamed;
import io.hdfsraid.recency.namespace.NamespaceEvent.ReplicationSet;
import io.hdfsraid.recency.namespace.NamespaceEvent.TimesSet;
import io.hdfsraid.recency.namespace.NamespaceEvent.Truncated;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What HDFS tells those who follow its edit log, and what it does not. Should a newer HDFS tell
 * otherwise, a test says so.
 */
class InotifyEventsTest {
  private static final long PRECISION_MILLIS = 1000;
  private static final int BLOCK = 1 << 20;

  private static EmbeddedHdfs hdfs;
  private static DistributedFileSystem fs;
  private static InotifyEditLog log;

  private long known;
  private long silent;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        EmbeddedHdfs.builder()
            .dataNodes(3)
            .set("dfs.namenode.accesstime.precision", Long.toString(PRECISION_MILLIS))
            .start();
    fs = hdfs.fileSystem();
    log = new InotifyEditLog(fs);
  }

  @AfterAll
  static void stop() throws IOException {
    hdfs.close();
  }

  @BeforeEach
  void fromHere() throws IOException {
    known = log.newest();
  }

  /** What was told since the last question. */
  private List<NamespaceEvent> told() throws IOException {
    List<NamespaceEvent> events = new ArrayList<>();
    silent = 0;
    EditBatch edits = log.after(known);
    for (; edits.last() > known; edits = log.after(known)) {
      known = edits.last();
      silent += edits.silent();
      events.addAll(edits.events());
    }
    assertThat(edits.newest()).isEqualTo(known);
    return events;
  }

  /** Without times, which nobody knows beforehand. */
  private List<String> toldInShort() throws IOException {
    return told().stream().map(InotifyEventsTest::inShort).toList();
  }

  private static String inShort(NamespaceEvent event) {
    String name = event.getClass().getSimpleName() + " " + event.path();
    if (event instanceof Renamed renamed) {
      return name + " " + renamed.to();
    }
    if (event instanceof Closed closed) {
      return name + " " + closed.length();
    }
    return event instanceof Truncated cut ? name + " " + cut.length() : name;
  }

  private static Path write(String path, int length) throws IOException {
    Path file = new Path(path);
    try (FSDataOutputStream out = fs.create(file)) {
      out.write(new byte[length]);
    }
    return file;
  }

  private static void read(String path) throws IOException {
    try (FSDataInputStream in = fs.open(new Path(path))) {
      assertThat(in.read()).isGreaterThanOrEqualTo(0);
    }
  }

  /** Until the next read of it changes its access time. */
  private static void passPrecision(Path file) throws Exception {
    long last = fs.getFileStatus(file).getAccessTime();
    while (System.currentTimeMillis() <= last + PRECISION_MILLIS) {
      Thread.sleep(20);
    }
  }

  @Test
  void eachNewDirectoryIsToldAlsoThoseAboveANewFile() throws IOException {
    long before = System.currentTimeMillis();
    fs.mkdirs(new Path("/made/a/b"));
    fs.mkdirs(new Path("/made/a/b"));
    write("/made/c/f", 10);
    List<NamespaceEvent> told = told();
    assertThat(told.stream().map(InotifyEventsTest::inShort))
        .containsExactly(
            "DirectoryCreated /made",
            "DirectoryCreated /made/a",
            "DirectoryCreated /made/a/b",
            "DirectoryCreated /made/c",
            "FileCreated /made/c/f",
            "Closed /made/c/f 10");
    String group = fs.getFileStatus(new Path("/made")).getGroup();
    DirectoryCreated made = (DirectoryCreated) told.get(0);
    assertThat(made).isEqualTo(new DirectoryCreated("/made", made.at(), "root", group));
    assertThat(made.at())
        .as("the time of what was made in it is later, if only by a millisecond")
        .isBetween(before, fs.getFileStatus(new Path("/made/a")).getModificationTime());
    FileCreated created = (FileCreated) told.get(4);
    assertThat(created)
        .isEqualTo(new FileCreated("/made/c/f", created.at(), "root", group, 3, BLOCK, false));
    assertThat(((Closed) told.get(5)).at())
        .isEqualTo(fs.getFileStatus(new Path("/made/c/f")).getModificationTime());
  }

  @Test
  void anOverwrittenFileEndsWithoutAWord() throws IOException {
    write("/over/f", 10);
    told();
    write("/over/f", 5);
    assertThat(toldInShort()).containsExactly("FileCreated /over/f", "Closed /over/f 5");
  }

  @Test
  void whatARenameReplacesEndsWithoutAWord() throws IOException {
    write("/ren/a", 1);
    write("/ren/b", 1);
    fs.mkdirs(new Path("/ren/d1/k"));
    fs.mkdirs(new Path("/ren/d2"));
    told();
    fs.rename(new Path("/ren/a"), new Path("/ren/b"), Options.Rename.OVERWRITE);
    fs.rename(new Path("/ren/d1"), new Path("/ren/d2"), Options.Rename.OVERWRITE);
    assertThat(toldInShort()).containsExactly("Renamed /ren/a /ren/b", "Renamed /ren/d1 /ren/d2");
  }

  @Test
  void aRenameIntoADirectoryNamesThePlaceInIt() throws IOException {
    write("/into/a", 1);
    fs.mkdirs(new Path("/into/d"));
    told();
    assertThat(fs.rename(new Path("/into/a"), new Path("/into/d"))).isTrue();
    assertThat(fs.rename(new Path("/into/none"), new Path("/into/x"))).isFalse();
    assertThat(toldInShort()).containsExactly("Renamed /into/a /into/d/a");
  }

  @Test
  void aRenameToItselfIsDropped() throws IOException {
    Path self = write("/self/a", 1);
    told();
    fs.rename(self, self);
    assertThat(told()).isEmpty();
    assertThat(silent).as("HDFS tells it").isEqualTo(1);
  }

  @Test
  void aRenamedOrDeletedTreeIsOneEvent() throws IOException {
    write("/tree/a/f", 1);
    write("/tree/a/g", 1);
    told();
    fs.rename(new Path("/tree/a"), new Path("/tree/b"));
    fs.delete(new Path("/tree"), true);
    assertThat(fs.delete(new Path("/tree/none"), true)).isFalse();
    assertThat(toldInShort()).containsExactly("Renamed /tree/a /tree/b", "Deleted /tree");
  }

  @Test
  void appendsAreToldWhenTheyBeginAndWhenTheyEnd() throws IOException {
    Path file = write("/app/f", 10);
    told();
    try (FSDataOutputStream out = fs.append(file)) {
      out.write(1);
      assertThat(told()).containsExactly(new Appended("/app/f"));
    }
    assertThat(toldInShort()).containsExactly("Closed /app/f 11");
  }

  @Test
  void flushesAndNewBlocksAreNotTold() throws IOException {
    try (FSDataOutputStream out = fs.create(new Path("/flush/f"))) {
      told();
      out.write(1);
      out.hflush();
      ((HdfsDataOutputStream) out).hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
      out.write(new byte[2 * BLOCK]);
      out.hflush();
      long before = known;
      assertThat(told()).isEmpty();
      assertThat(known).as("transactions pass").isGreaterThan(before);
      assertThat(silent).isZero();
    }
    assertThat(toldInShort()).containsExactly("Closed /flush/f " + (2 * BLOCK + 1));
  }

  @Test
  void aCutIsToldAtOnceAndItsEndIfItIsInABlock() throws Exception {
    Path file = write("/cut/f", 2 * BLOCK);
    told();
    assertThat(fs.truncate(file, BLOCK)).isTrue();
    assertThat(toldInShort()).containsExactly("Truncated /cut/f " + BLOCK);
    assertThat(fs.truncate(file, 1000)).as("done at once").isFalse();
    List<String> all = new ArrayList<>();
    while (all.size() < 2) {
      all.addAll(toldInShort());
      Thread.sleep(20);
    }
    assertThat(all).containsExactly("Truncated /cut/f 1000", "Closed /cut/f 1000");
  }

  @Test
  void ofAConcatTheSourcesAreDeletedAndTheLengthIsNotSaid() throws IOException {
    write("/cat/a", BLOCK);
    write("/cat/b", BLOCK);
    write("/cat/c", BLOCK);
    told();
    long before = known;
    fs.concat(new Path("/cat/a"), new Path[] {new Path("/cat/b"), new Path("/cat/c")});
    assertThat(toldInShort())
        .containsExactly("Appended /cat/a", "Deleted /cat/b", "Deleted /cat/c", "Closed /cat/a -1");
    assertThat(known).as("all in one transaction").isEqualTo(before + 1);
  }

  @Test
  void readsAreToldOncePerPrecision() throws Exception {
    Path file = write("/read/f", 10);
    passPrecision(file);
    told();
    long before = System.currentTimeMillis();
    read("/read/f");
    read("/read/f");
    assertThat(told())
        .singleElement()
        .isInstanceOfSatisfying(
            TimesSet.class,
            times -> {
              assertThat(times.path()).isEqualTo("/read/f");
              assertThat(times.modified()).isEqualTo(-1);
              assertThat(times.accessed()).isBetween(before, System.currentTimeMillis());
            });
    fs.getFileStatus(file);
    fs.listLocatedStatus(new Path("/read")).next();
    passPrecision(file);
    assertThat(told()).as("listings").isEmpty();
    assertThat(fs.getFileChecksum(file)).isNotNull();
    assertThat(toldInShort()).as("a checksum").containsExactly("TimesSet /read/f");
  }

  @Test
  void whoReadsByNumberRawPathOrLinkIsToldWithTheRealPath() throws Exception {
    Path file = write("/real/f", 10);
    FileSystem.enableSymlinks();
    fs.createSymlink(file, new Path("/real/link"), false);
    assertThat(toldInShort()).endsWith("SymlinkCreated /real/link");
    long inode = ((HdfsFileStatus) fs.getFileStatus(file)).getFileId();
    for (String path :
        List.of("/.reserved/.inodes/" + inode, "/.reserved/raw/real/f", "/real/link")) {
      passPrecision(file);
      read(path);
      assertThat(toldInShort()).as(path).containsExactly("TimesSet /real/f");
    }
    fs.setReplication(new Path("/.reserved/.inodes/" + inode), (short) 1);
    assertThat(told()).containsExactly(new ReplicationSet("/real/f", 1));
  }

  @Test
  void timesReplicationAndOwnerAreToldAlsoWhereNothingChanges() throws IOException {
    Path file = write("/meta/f", 10);
    told();
    fs.setTimes(file, 1000, 2000);
    fs.setTimes(file, -1, 3000);
    fs.setReplication(file, (short) 3);
    fs.setOwner(file, null, "crew");
    fs.setOwner(file, "ann", null);
    assertThat(told())
        .containsExactly(
            new TimesSet("/meta/f", 1000, 2000),
            new TimesSet("/meta/f", -1, 3000),
            new ReplicationSet("/meta/f", 3),
            new OwnerSet("/meta/f", null, "crew"),
            new OwnerSet("/meta/f", "ann", null));
  }

  @Test
  void rightsAreToldAndAttributesAreCountedAndDropped() throws IOException {
    Path file = write("/attr/f", 10);
    told();
    fs.setPermission(file, new FsPermission((short) 0600));
    fs.setXAttr(file, "user.q", new byte[] {1});
    fs.removeXAttr(file, "user.q");
    fs.modifyAclEntries(file, AclEntry.parseAclSpec("user:bob:rw-", true));
    assertThat(told()).containsExactly(new AccessSet("/attr/f"), new AccessSet("/attr/f"));
    assertThat(silent).isEqualTo(2);
  }

  @Test
  void snapshotsPoliciesAndQuotasAreTransactionsWithoutAnEvent() throws Exception {
    Path top = new Path("/snap");
    Path file = write("/snap/f", 10);
    write("/snap/g", 10);
    fs.mkdirs(new Path("/other"));
    told();
    long before = known;
    fs.setStoragePolicy(top, "COLD");
    fs.setQuota(top, 1000, 1L << 40);
    fs.allowSnapshot(top);
    fs.createSnapshot(top, "one");
    fs.renameSnapshot(top, "one", "two");
    passPrecision(file);
    read("/snap/.snapshot/two/f");
    assertThat(told()).isEmpty();
    assertThat(silent).isZero();
    assertThat(known).as("a read in a snapshot is none").isEqualTo(before + 5);

    fs.delete(new Path("/snap/g"), false);
    fs.rename(file, new Path("/other/f"));
    fs.deleteSnapshot(top, "two");
    fs.disallowSnapshot(top);
    assertThat(toldInShort())
        .as("as if there were no snapshot")
        .containsExactly("Deleted /snap/g", "Renamed /snap/f /other/f");
  }

  @Test
  void aStripedFileIsToldAsSuchAndItsDirectoryOnlyAsAttribute() throws IOException {
    fs.mkdirs(new Path("/ec"));
    told();
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.setErasureCodingPolicy(new Path("/ec"), "XOR-2-1-1024k");
    assertThat(told()).isEmpty();
    assertThat(silent).isEqualTo(1);
    write("/ec/f", 1000);
    assertThat(told().get(0))
        .isInstanceOfSatisfying(
            FileCreated.class,
            file -> {
              assertThat(file.striped()).isTrue();
              assertThat(file.replication()).isZero();
            });
  }

  @Test
  void anOpenFileIsClosedWhereItIsByThen() throws IOException {
    FSDataOutputStream out = fs.create(new Path("/open/a"));
    out.write(1);
    out.hflush();
    fs.rename(new Path("/open/a"), new Path("/open/b"));
    out.close();
    assertThat(toldInShort())
        .endsWith("FileCreated /open/a", "Renamed /open/a /open/b", "Closed /open/b 1");
  }

  @Test
  void ofAnOpenFileThatIsDeletedOrOverwrittenNoEndIsTold() throws IOException {
    FSDataOutputStream deleted = fs.create(new Path("/open/deleted"));
    FSDataOutputStream replaced = fs.create(new Path("/open/replaced"));
    replaced.write(1);
    replaced.hflush();
    told();
    fs.delete(new Path("/open/deleted"), false);
    try (DistributedFileSystem other =
        (DistributedFileSystem) FileSystem.newInstance(hdfs.uri(), hdfs.configuration())) {
      other.create(new Path("/open/replaced"), true).close();
    }
    assertThatThrownBy(deleted::close).isInstanceOf(IOException.class);
    assertThatThrownBy(replaced::close).isInstanceOf(IOException.class);
    assertThat(toldInShort())
        .containsExactly(
            "Deleted /open/deleted", "FileCreated /open/replaced", "Closed /open/replaced 0");
  }

  @Test
  void aFileWhoseLeaseIsTakenIsClosed() throws Exception {
    Path file = new Path("/lease/f");
    FSDataOutputStream out = fs.create(file);
    out.write(new byte[100]);
    out.hflush();
    told();
    try (DistributedFileSystem other =
        (DistributedFileSystem) FileSystem.newInstance(hdfs.uri(), hdfs.configuration())) {
      while (!other.recoverLease(file)) {
        Thread.sleep(50);
      }
    }
    assertThat(toldInShort()).containsExactly("Closed /lease/f 100");
    assertThatThrownBy(out::close).isInstanceOf(IOException.class);
  }

  @Test
  void namesWithAnyCharacterComeAsTheyAre() throws IOException {
    String name = "/names/a\tb\nc=d\\e \"ü日😀";
    write(name, 1);
    assertThat(told())
        .hasSize(3)
        .allMatch(event -> "/names".equals(event.path()) || event.path().equals(name));
  }

  @Test
  void whoIsNoSuperuserIsRefused() throws Exception {
    UserGroupInformation bob = UserGroupInformation.createRemoteUser("bob");
    bob.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (DistributedFileSystem ofBob =
                  (DistributedFileSystem)
                      FileSystem.newInstance(hdfs.uri(), hdfs.configuration())) {
                InotifyEditLog refused = new InotifyEditLog(ofBob);
                assertThatThrownBy(() -> refused.after(known)).hasMessageContaining("Superuser");
              }
              return null;
            });
  }
}
