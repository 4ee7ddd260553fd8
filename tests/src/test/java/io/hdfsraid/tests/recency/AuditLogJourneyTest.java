// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsraid.drfs.hdfs.HdfsNamespace;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.raidnode.hdfs.OwnerFile;
import io.hdfsraid.raidnode.reheat.ReadLocality;
import io.hdfsraid.raidnode.reheat.ReplicaLocality;
import io.hdfsraid.recency.auditlog.AuditLog;
import io.hdfsraid.recency.auditlog.AuditLogSettings;
import io.hdfsraid.recency.auditlog.IgnoredReaders;
import io.hdfsraid.recency.namespace.Access;
import io.hdfsraid.recency.namespace.InodeAccess;
import io.hdfsraid.recency.namespace.Watermark;
import io.hdfsraid.recency.source.AccessBatch;
import io.hdfsraid.recency.source.AccessSink;
import io.hdfsraid.recency.source.Timestamps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The audit log as this HDFS writes it, with Hadoop's own pattern of a line. */
class AuditLogJourneyTest {
  @TempDir private static java.nio.file.Path folder;

  private static AuditLogFile audit;
  private static EmbeddedHdfs hdfs;
  private static DistributedFileSystem fs;

  private final HdfsNamespace namespace = new HdfsNamespace(fs);
  private final ReadLocality locality = new ReplicaLocality(namespace, Clock.systemUTC());
  private final List<Access> accesses = new ArrayList<>();
  private final List<InodeAccess> byInode = new ArrayList<>();
  private Watermark watermark;
  private AuditLog log;

  @BeforeAll
  static void start() throws IOException {
    hdfs =
        EmbeddedHdfs.builder()
            .dataNodes(1)
            .set("hadoop.caller.context.enabled", "true")
            .set("hadoop.proxyuser.root.hosts", "*")
            .set("hadoop.proxyuser.root.users", "*")
            .start();
    fs = hdfs.fileSystem();
    audit = AuditLogFile.in(folder);
  }

  @AfterAll
  static void stop() throws IOException {
    audit.close();
    hdfs.close();
  }

  @BeforeEach
  void fromHere() throws Exception {
    log =
        new AuditLog(
            new AuditLogSettings(
                List.of(audit.path()),
                ZoneId.systemDefault(),
                new IgnoredReaders(List.of("scanner"), List.of()),
                Duration.ofDays(1),
                "/.raid"),
            new AccessSink() {
              @Override
              public Optional<Watermark> watermark(String source) {
                return Optional.ofNullable(watermark);
              }

              @Override
              public long accessed(AccessBatch more, Watermark reached) {
                accesses.addAll(more.byPath());
                byInode.addAll(more.byInode());
                watermark = reached;
                return 0;
              }
            },
            new Timestamps() {
              @Override
              public Optional<Instant> instant(String name) {
                return Optional.empty();
              }

              @Override
              public void instant(String name, Instant value) {}

              @Override
              public void remove(String name) {}
            },
            () -> OwnerFile.leaveTrace(fs, "/.raid"),
            Clock.systemUTC());
    fs.getFileStatus(new Path("/")); // the first line
    log.follow();
    accesses.clear();
    byInode.clear();
  }

  private List<String> read() throws Exception {
    accesses.clear();
    byInode.clear();
    log.follow();
    assertThat(log.state().problem()).isEmpty();
    return accesses.stream().map(Access::path).toList();
  }

  private static Path write(String path) throws IOException {
    Path file = new Path(path);
    try (FSDataOutputStream out = fs.create(file)) {
      out.write(1);
    }
    return file;
  }

  private static void open(FileSystem with, Path file) throws IOException {
    try (FSDataInputStream in = with.open(file)) {
      assertThat(in.read()).isEqualTo(1);
    }
  }

  private static void openAs(UserGroupInformation user, Path file) throws Exception {
    user.doAs(
        (PrivilegedExceptionAction<Void>)
            () -> {
              try (FileSystem own = FileSystem.newInstance(hdfs.uri(), hdfs.configuration())) {
                open(own, file);
              }
              return null;
            });
  }

  @Test
  void whatWeOpenOurselvesComesBackInTheLog() throws Exception {
    fs.mkdirs(new Path("/.raid"));
    try (OwnerFile owner = OwnerFile.acquire(fs, "/.raid", () -> fs.mkdirs(new Path("/.raid")))) {
      owner.pass();
      long before = log.state().counters().get("accesses.own");
      OwnerFile.leaveTrace(fs, "/.raid");
      assertThat(read()).isEmpty();
      assertThat(log.state().counters()).containsEntry("accesses.own", before + 1);
    }
  }

  @Test
  void eachReadIsToldAtItsTimeAlsoWithinThePrecisionOfAccessTimes() throws Exception {
    Path file = write("/a/f");
    long before = System.currentTimeMillis();
    open(fs, file);
    open(fs, file);
    assertThat(read()).containsExactly("/a/f", "/a/f");
    assertThat(accesses)
        .allSatisfy(
            access -> assertThat(access.at()).isBetween(before, System.currentTimeMillis()));
    fs.getFileStatus(file);
    fs.listStatus(file.getParent());
    assertThat(read()).isEmpty();
    assertThat(fs.getFileChecksum(file)).isNotNull();
    assertThat(read()).as("a checksum looks like a read").containsExactly("/a/f");
  }

  @Test
  void namesComeBackFromHadoopsEscapes() throws Exception {
    String name = "/names/a\tb\nc=d\\e \"ü日😀";
    open(fs, write(name));
    assertThat(read()).containsExactly(name);
  }

  @Test
  void whoReadsByNumberRawPathOrSnapshotIsKnown() throws Exception {
    Path file = write("/s/f");
    fs.allowSnapshot(file.getParent());
    fs.createSnapshot(file.getParent(), "one");
    long inode = ((HdfsFileStatus) fs.getFileStatus(file)).getFileId();
    open(fs, new Path("/.reserved/.inodes/" + inode));
    open(fs, new Path("/.reserved/raw/s/f"));
    open(fs, new Path("/s/.snapshot/one/f"));
    assertThat(read()).containsExactly("/s/f");
    assertThat(byInode).extracting(InodeAccess::inode).containsExactly(inode);
    assertThat(log.state().counters()).containsEntry("accesses.snapshots", 1L);
  }

  @Test
  void whoReadsForAnotherCountsAndAScannerDoesNot() throws Exception {
    Path file = write("/u/f");
    UserGroupInformation self = UserGroupInformation.getCurrentUser();
    openAs(UserGroupInformation.createProxyUser("ann", self), file);
    openAs(UserGroupInformation.createRemoteUser("scanner"), file);
    assertThat(read()).containsExactly("/u/f");
    assertThat(log.state().counters()).containsEntry("accesses.ignored", 1L);
  }

  @Test
  void whoIsRefusedHasNotRead() throws Exception {
    Path file = write("/u/secret");
    fs.setPermission(file, new FsPermission((short) 0600));
    assertThatThrownBy(() -> openAs(UserGroupInformation.createRemoteUser("bob"), file))
        .hasMessageContaining("Permission denied");
    assertThatThrownBy(() -> fs.open(new Path("/u/none"))).isInstanceOf(IOException.class);
    assertThat(read()).isEmpty();
  }

  @Test
  void theAddressOfAReaderIsThatOfTheDataNodeOnItsMachine() throws Exception {
    Path file = write("/l/f");
    open(fs, file);
    assertThat(read()).containsExactly("/l/f");
    List<String> readers = List.of(accesses.get(0).client());
    LocatedFile state = namespace.file("/l/f").orElseThrow();
    assertThat(locality.offNode(state.inode(), readers)).hasValue(0);

    hdfs.deleteReplica(state.blocks().get(0).block().id(), 0);
    hdfs.runDirectoryScanner(0);
    hdfs.triggerBlockReports();
    assertThat(locality.offNode(state.inode(), readers))
        .as("a DataNode runs there and has no replica")
        .hasValue(1);
  }

  @Test
  void aContextCannotForgeAReadAndAUserNameIsCaughtAtIt() throws Exception {
    Path file = write("/e/f");
    CallerContext.setCurrent(
        new CallerContext.Builder(
                "x\tcmd=open\tsrc=/evil\n2026-11-22 00:00:00,000 INFO a: allowed=true")
            .setSignature("s".getBytes(StandardCharsets.UTF_8))
            .build());
    try {
      open(fs, file);
    } finally {
      CallerContext.setCurrent(null);
    }
    assertThat(read()).containsExactly("/e/f");
    openAs(
        UserGroupInformation.createRemoteUser(
            "bob\tip=/9.9.9.9\tcmd=open\tsrc=/evil\tdst=null\tperm=null"),
        file);
    assertThat(read()).isEmpty();
    assertThat(log.state().counters()).containsEntry("lines.damaged", 1L);
  }
}
