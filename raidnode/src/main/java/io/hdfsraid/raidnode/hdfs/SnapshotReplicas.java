package io.hdfsraid.raidnode.hdfs;

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
 * How many replicas snapshots keep of a file: as many as it had when they were taken, whatever it
 * has now. Found by looking for the file, under its present path, in the snapshots of the
 * directories above it. One that was renamed since is not found, nor one that only older snapshots
 * than are looked into hold: it is raided, and its excess replicas stay until the snapshot goes.
 * The audit after raiding asks by block, finds that they are held, and spreads what is not. Safe
 * for concurrent use.
 */
final class SnapshotReplicas {
  /** The list of directories is asked for again after this: it changes when an operator does. */
  private static final Duration BELIEVED = Duration.ofSeconds(10);

  /** Snapshots of a directory that are looked into, the newest first; there may be thousands. */
  private static final int MOST_SNAPSHOTS = 64;

  private final DFSClient client;
  private final Clock clock;
  private Known known = new Known(Instant.MIN, List.of());

  /** Directories that have snapshots. */
  private record Known(Instant asked, List<String> directories) {}

  SnapshotReplicas(DistributedFileSystem fs, Clock clock) {
    this.client = fs.getClient();
    this.clock = clock;
  }

  /** The highest replication under which a snapshot holds the file; empty when none holds it. */
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

  /** The directories of which there are snapshots, as the NameNode says now. */
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
