package io.hdfsraid.raidnode.hdfs;

import io.hdfsraid.drfs.namespace.CallPermits;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.raidnode.raid.Listing;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a namespace, listed directory by directory, a page at a time. Listing touches no
 * access time; blocks are not asked for.
 */
public final class NamespaceListing implements Listing {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceListing.class);

  /** Entries of a page, one call each, unless the NameNode's dfs.ls.limit says otherwise. */
  private static final int PAGE = 1_000;

  private final DistributedFileSystem fs;
  private final String ownRoot;
  private final SnapshotReplicas snapshots;
  private final CallPermits calls;

  /**
   * A listing.
   *
   * @param ownRoot the directory of the parity, which is not listed
   * @param calls asked before each page
   */
  NamespaceListing(
      DistributedFileSystem fs, String ownRoot, SnapshotReplicas snapshots, CallPermits calls) {
    this.fs = fs;
    this.ownRoot = ownRoot;
    this.snapshots = snapshots;
    this.calls = calls;
  }

  @Override
  public long forEach(String top, Consumer<FileFacts> file) throws IOException {
    long files = 0;
    Deque<Path> directories = new ArrayDeque<>();
    FileStatus start = fs.getFileStatus(new Path(top));
    if (start.isFile()) {
      file.accept(facts(start));
      return 1;
    }
    directories.push(new Path(top));
    while (!directories.isEmpty()) {
      Path directory = directories.pop();
      calls.await(1);
      int entriesOfPage = 0;
      try {
        for (RemoteIterator<FileStatus> entries = fs.listStatusIterator(directory);
            entries.hasNext(); ) {
          FileStatus entry = entries.next();
          if (++entriesOfPage == PAGE) {
            calls.await(1);
            entriesOfPage = 0;
          }
          if (entry.isFile()) {
            file.accept(facts(entry));
            files++;
          } else if (entry.isDirectory() && !path(entry).equals(ownRoot)) {
            directories.push(entry.getPath());
          }
        }
      } catch (FileNotFoundException e) {
        LOG.debug("{} was deleted while the namespace was listed", directory);
      }
    }
    return files;
  }

  /** Whether there is a file or a directory at the path. */
  public boolean exists(String path) throws IOException {
    return fs.exists(new Path(path));
  }

  @Override
  public FileFacts withSnapshots(FileFacts file) throws IOException {
    OptionalInt kept = snapshots.of(file.path(), file.inodeId());
    return kept.isPresent() ? file.inSnapshot(kept.getAsInt()) : file;
  }

  /** One file, with what snapshots keep of it; the path must be one. */
  public FileFacts file(String path) throws IOException {
    FileStatus status = fs.getFileStatus(new Path(path));
    if (!status.isFile()) {
      throw new FileNotFoundException(path + " is not a file");
    }
    return withSnapshots(facts(status));
  }

  private static String path(FileStatus status) {
    return status.getPath().toUri().getPath();
  }

  private static FileFacts facts(FileStatus status) {
    FileFacts facts =
        FileFacts.of(
                path(status),
                ((HdfsFileStatus) status).getFileId(),
                status.getLen(),
                Math.max(1, status.getBlockSize()),
                status.getReplication(),
                Instant.ofEpochMilli(status.getModificationTime()))
            .withOwner(status.getOwner(), status.getGroup());
    if (status.getAccessTime() > 0) {
      facts = facts.withAccess(Instant.ofEpochMilli(status.getAccessTime()));
    }
    if (status.isErasureCoded()) {
      facts = facts.with(Trait.STRIPED);
    }
    if (status.isEncrypted()) {
      facts = facts.with(Trait.ENCRYPTED);
    }
    return facts;
  }
}
