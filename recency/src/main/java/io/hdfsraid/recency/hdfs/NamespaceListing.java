// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.hdfs;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.recency.listing.DirectoryListing;
import io.hdfsraid.recency.listing.FileListing;
import io.hdfsraid.recency.listing.FileLookup;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the files of an HDFS directory by directory, a page at a time. A listing changes no access
 * time and asks for no blocks.
 */
public final class NamespaceListing implements FileListing, DirectoryListing, FileLookup {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceListing.class);

  /** Entries of a page, which costs one call; the default of dfs.ls.limit. */
  private static final int PAGE = 1_000;

  private final DistributedFileSystem fs;
  private final String ownRoot;
  private final SnapshotReplicas snapshots;
  private final CallLimit calls;

  /**
   * @param ownRoot the directory of the parity, which is not listed
   * @param calls limits the calls, one for each page
   */
  public NamespaceListing(DistributedFileSystem fs, String ownRoot, Clock clock, CallLimit calls) {
    this.fs = fs;
    this.ownRoot = ownRoot;
    this.snapshots = new SnapshotReplicas(fs, clock);
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
      for (FileStatus entry : entries(directories.pop())) {
        if (entry.isFile()) {
          file.accept(facts(entry));
          files++;
        } else if (entry.isDirectory() && !path(entry).equals(ownRoot)) {
          directories.push(entry.getPath());
        }
      }
    }
    return files;
  }

  /** A directory that is still to be listed. */
  private record Unlisted(FileStatus status, long parent) {}

  /** Lists every directory, but nothing below our own root. */
  @Override
  public void read(DirectoryListing.Visitor visitor) throws IOException {
    Set<String> snapshotted = snapshots.roots();
    Deque<Unlisted> directories = new ArrayDeque<>();
    directories.push(new Unlisted(fs.getFileStatus(new Path("/")), Inode.ROOT));
    while (!directories.isEmpty()) {
      Unlisted next = directories.pop();
      List<Inode> children = new ArrayList<>();
      for (FileStatus entry : entries(next.status().getPath())) {
        if (entry.isDirectory() && !path(entry).equals(ownRoot)) {
          directories.push(new Unlisted(entry, id(next.status())));
        }
        children.add(inode(entry, snapshotted));
      }
      visitor.directory(directory(next.status(), snapshotted), next.parent(), children);
    }
  }

  @Override
  public void read(List<String> parentsFirst, DirectoryListing.Visitor visitor) throws IOException {
    Set<String> snapshotted = snapshots.roots();
    Map<Path, Long> ids = new HashMap<>();
    for (String directory : parentsFirst) {
      Path path = new Path(directory);
      try {
        calls.await(1);
        FileStatus status = fs.getFileStatus(path);
        Long parent = path.isRoot() ? Long.valueOf(Inode.ROOT) : ids.get(path.getParent());
        // Otherwise its parent was missing, or it is a file by now.
        if (parent != null && status.isDirectory()) {
          ids.put(path, id(status));
          visitor.directory(
              directory(status, snapshotted),
              parent,
              entries(path).stream().map(entry -> inode(entry, snapshotted)).toList());
        }
      } catch (FileNotFoundException e) {
        LOG.debug("{} was deleted before it was listed", directory);
      }
    }
  }

  /** Returns the entries of a directory; none if it was deleted meanwhile. */
  private List<FileStatus> entries(Path directory) throws IOException {
    List<FileStatus> entries = new ArrayList<>();
    calls.await(1);
    try {
      for (RemoteIterator<FileStatus> page = fs.listStatusIterator(directory); page.hasNext(); ) {
        entries.add(page.next());
        if (entries.size() % PAGE == 0) {
          calls.await(1);
        }
      }
      return entries;
    } catch (FileNotFoundException e) {
      LOG.debug("{} was deleted while the namespace was listed", directory);
      return List.of();
    }
  }

  private static long id(FileStatus status) {
    return ((HdfsFileStatus) status).getFileId();
  }

  private static String name(FileStatus status) {
    return status.getPath().isRoot() ? "" : status.getPath().getName();
  }

  private static Inode inode(FileStatus entry, Set<String> snapshotted) {
    if (entry.isDirectory()) {
      return directory(entry, snapshotted);
    }
    return entry.isFile()
        ? new Inode.File(id(entry), name(entry), attributes(entry))
        : new Inode.Symlink(id(entry), name(entry));
  }

  private static Inode.Directory directory(FileStatus status, Set<String> snapshotted) {
    return new Inode.Directory(
        id(status),
        name(status),
        status.getOwner(),
        status.getGroup(),
        ((HdfsFileStatus) status).getStoragePolicy(),
        snapshotted.contains(path(status)) ? Snapshots.TAKEN : Snapshots.NONE);
  }

  private static FileAttributes attributes(FileStatus file) {
    FileFacts facts = facts(file);
    return new FileAttributes(
        facts.length(),
        facts.blockSize(),
        facts.blocks(),
        facts.replication(),
        file.getModificationTime(),
        file.getAccessTime(),
        facts.owner(),
        facts.group(),
        ((HdfsFileStatus) file).getStoragePolicy(),
        facts.traits().isEmpty() ? Set.of() : EnumSet.copyOf(facts.traits()));
  }

  /** {@code /.reserved/.inodes/ID} can resolve to another inode. */
  @Override
  public Optional<Inode.File> find(long inode) throws IOException {
    return look("/.reserved/.inodes/" + inode)
        .filter(status -> id(status) == inode)
        .map(status -> new Inode.File(inode, "", attributes(status)));
  }

  @Override
  public Optional<Inode.File> find(String path) throws IOException {
    return look(path).map(status -> new Inode.File(id(status), name(status), attributes(status)));
  }

  private Optional<FileStatus> look(String path) throws IOException {
    calls.await(1);
    try {
      return Optional.of(fs.getFileStatus(new Path(path))).filter(FileStatus::isFile);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (RemoteException e) {
      // The answer for the inode path of a file that was renamed after a snapshot was taken, and
      // then deleted: its path does not begin at the root.
      if (IllegalArgumentException.class.getName().equals(e.getClassName())) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Returns whether a file or a directory exists at the path. */
  public boolean exists(String path) throws IOException {
    return fs.exists(new Path(path));
  }

  @Override
  public Optional<FileFacts> again(FileFacts file) throws IOException {
    calls.await(1);
    FileStatus status;
    try {
      status = fs.getFileStatus(new Path(file.path()));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
    return Optional.of(status)
        .filter(FileStatus::isFile)
        .map(NamespaceListing::facts)
        .filter(now -> now.inodeId() == file.inodeId());
  }

  @Override
  public FileFacts withSnapshots(FileFacts file) throws IOException {
    OptionalInt kept = snapshots.of(file.path(), file.inodeId());
    return kept.isPresent() ? file.inSnapshot(kept.getAsInt()) : file;
  }

  /** Returns the file at a path with the replicas that snapshots keep. */
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
