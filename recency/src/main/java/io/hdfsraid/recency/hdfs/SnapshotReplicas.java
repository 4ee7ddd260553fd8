// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.SnapshotStatus;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;

/**
 * Finds how many replicas snapshots keep of a file: the replication that the file had when a
 * snapshot was taken. The file is looked up under its present path in the snapshots of the
 * directories above it. It is not found if it was renamed since, or if only older snapshots than
 * the newest 64 hold it. Such a file is raided, and its excess replicas stay until the snapshot is
 * deleted; the audit after raiding sees them, because it asks by block. Safe for concurrent use.
 */
final class SnapshotReplicas {
  /** How long the list of directories is cached; it changes only when an operator changes it. */
  private static final Duration BELIEVED = Duration.ofSeconds(10);

  /** The most snapshots of a directory that are read, newest first; there may be thousands. */
  private static final int MOST_SNAPSHOTS = 64;

  private final DFSClient client;
  private final Clock clock;
  private Known known = new Known(Instant.MIN, List.of());

  /** The directories that have snapshots. */
  private record Known(Instant asked, List<String> directories) {}

  SnapshotReplicas(DistributedFileSystem fs, Clock clock) {
    this.client = fs.getClient();
    this.clock = clock;
  }

  /** Returns the highest replication of the file in a snapshot; empty if none holds it. */
  OptionalInt of(String path, long inode) throws IOException {
    OptionalInt most = OptionalInt.empty();
    for (String directory : directories()) {
      if (path.startsWith(directory.equals("/") ? "/" : directory + "/")) {
        for (String snapshot : newest(directory)) {
          HdfsFileStatus held =
              client.getFileInfo(
                  snapshot + path.substring(directory.equals("/") ? 0 : directory.length()));
          if (held != null && held.getFileId() == inode) {
            most = OptionalInt.of(Math.max(most.orElse(0), held.getReplication()));
          }
        }
      }
    }
    return most;
  }

  /** Asks the NameNode for the directories that have snapshots. */
  synchronized Set<String> roots() throws IOException {
    known = new Known(Instant.MIN, List.of());
    return Set.copyOf(directories());
  }

  private synchronized List<String> directories() throws IOException {
    Instant now = clock.instant();
    if (known.asked().isBefore(now.minus(BELIEVED))) {
      SnapshottableDirectoryStatus[] all = client.getSnapshottableDirListing();
      known =
          new Known(
              now,
              all == null
                  ? List.of()
                  : Arrays.stream(all)
                      .filter(status -> status.getSnapshotNumber() > 0)
                      .map(status -> status.getFullPath().toUri().getPath())
                      .toList());
    }
    return known.directories();
  }

  private List<String> newest(String directory) throws IOException {
    SnapshotStatus[] all = client.getSnapshotListing(directory);
    return all == null
        ? List.of()
        : Arrays.stream(all)
            .sorted(Comparator.comparingInt(SnapshotStatus::getSnapshotID).reversed())
            .limit(MOST_SNAPSHOTS)
            .map(snapshot -> snapshot.getFullPath().toUri().getPath())
            .toList();
  }
}
