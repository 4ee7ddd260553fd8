// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.tests.recency;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsraid.embedded.EmbeddedHdfs;
import io.hdfsraid.recency.auditlog.AuditLogSettings;
import io.hdfsraid.recency.auditlog.IgnoredReaders;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A backup job reads everything each night. Its reads set the access time in HDFS, and must keep
 * nothing warm.
 */
class IgnoredReadsJourneyTest {
  private static final Path FILE = new Path("/data/file");

  @TempDir private java.nio.file.Path folder;

  @Test
  void aReadThatDoesNotCountLeavesTheLastUseWhereItWas() throws Exception {
    leavesTheLastUse(Duration.ofSeconds(1));
  }

  @Test
  @Tag("full")
  void alsoWithAPrecisionOfAMinute() throws Exception {
    leavesTheLastUse(Duration.ofMinutes(1));
  }

  @Test
  @Tag("full")
  void alsoWithAPrecisionOfAnHour() throws Exception {
    leavesTheLastUse(Duration.ofHours(1));
  }

  private void leavesTheLastUse(Duration precision) throws Exception {
    try (EmbeddedHdfs hdfs =
            EmbeddedHdfs.builder()
                .dataNodes(1)
                .set("dfs.namenode.accesstime.precision", Long.toString(precision.toMillis()))
                .start();
        AuditLogFile audit = AuditLogFile.in(folder)) {
      DistributedFileSystem fs = hdfs.fileSystem();
      long used;
      try (FollowingDaemon daemon = daemon(hdfs, audit)) {
        long unused = daemon.jobs().select().recency().refresh();
        try (FSDataOutputStream out = fs.create(FILE)) {
          out.write(1);
        }
        open(fs);
        follow(daemon, fs);
        long usedBefore = lastUse(daemon);
        openByInodeId(fs);
        follow(daemon, fs);
        used = lastUse(daemon);
        assertThat(used)
            .as("a read by the inode id, of which the edit log says nothing")
            .isGreaterThan(usedBefore);
        // Whatever the precision, the next read is recorded.
        fs.setTimes(FILE, -1, used - Duration.ofHours(2).toMillis());
        openAsBackup(hdfs);
        assertThat(accessTime(fs)).as("what HDFS shows").isGreaterThan(used);

        follow(daemon, fs);
        assertThat(lastUse(daemon)).as("by the edit log").isEqualTo(used);
        unused = daemon.jobs().select().recency().refresh();
        assertThat(lastUse(daemon)).as("by the next image").isEqualTo(used);
        assertThat(
                daemon.jobs().select().recency().isEvidence(Instant.ofEpochMilli(accessTime(fs))))
            .as("to whoever asks HDFS, as explain does")
            .isFalse();
      }
      fs.setTimes(FILE, -1, used - Duration.ofHours(2).toMillis());
      openAsBackup(hdfs);
      try (FollowingDaemon next = daemon(hdfs, audit)) {
        follow(next, fs);
        assertThat(lastUse(next)).as("by the next daemon").isEqualTo(used);
        open(fs);
        follow(next, fs);
        assertThat(lastUse(next)).as("a read that counts").isGreaterThan(used);
      }
    }
  }

  private FollowingDaemon daemon(EmbeddedHdfs hdfs, AuditLogFile audit) throws IOException {
    return new FollowingDaemon(
        hdfs,
        folder,
        Duration.ZERO,
        Optional.of(
            new AuditLogSettings(
                List.of(audit.path()),
                ZoneId.systemDefault(),
                new IgnoredReaders(List.of("backup"), List.of()),
                Duration.ofDays(1),
                "/.raid")));
  }

  /** Twice: audit logs are read after the edit log. */
  private static void follow(FollowingDaemon daemon, DistributedFileSystem fs) throws Exception {
    fs.listStatus(FILE.getParent()); // a later line
    daemon.follow();
    daemon.follow();
  }

  private static long lastUse(FollowingDaemon daemon) {
    return daemon
        .catalog()
        .namespace()
        .at(FILE.toUri().getPath())
        .orElseThrow()
        .attributes()
        .lastUsed();
  }

  private static long accessTime(DistributedFileSystem fs) throws IOException {
    return fs.getFileStatus(FILE).getAccessTime();
  }

  private static void open(FileSystem fs) throws IOException {
    try (FSDataInputStream in = fs.open(FILE)) {
      assertThat(in.read()).isEqualTo(1);
    }
  }

  private static void openByInodeId(DistributedFileSystem fs) throws IOException {
    long inode = ((HdfsFileStatus) fs.getFileStatus(FILE)).getFileId();
    try (FSDataInputStream in = fs.open(new Path("/.reserved/.inodes/" + inode))) {
      assertThat(in.read()).isEqualTo(1);
    }
  }

  private static void openAsBackup(EmbeddedHdfs hdfs) throws Exception {
    Void unused =
        UserGroupInformation.createRemoteUser("backup")
            .doAs(
                (PrivilegedExceptionAction<Void>)
                    () -> {
                      try (FileSystem own =
                          FileSystem.newInstance(hdfs.uri(), hdfs.configuration())) {
                        open(own);
                      }
                      return null;
                    });
  }
}
