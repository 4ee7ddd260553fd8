// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.recency.editlog.EditBatch;
import io.hdfsraid.recency.editlog.EditLog;
import io.hdfsraid.recency.index.ListingResult;
import io.hdfsraid.recency.index.ListingUpdate;
import io.hdfsraid.recency.index.NamespaceIndex;
import io.hdfsraid.recency.listing.DirectoryListing;
import io.hdfsraid.recency.listing.FileLookup;
import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;
import io.hdfsraid.recency.source.AccessTimeSetting;
import io.hdfsraid.recency.source.ProbeRead;
import io.hdfsraid.recency.source.Timestamps;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A namespace of a few files that a test puts there, listed as HDFS lists its own. */
public final class ListedNamespace implements DirectoryListing, FileLookup, NamespaceSources {
  /** No test has files with such numbers. */
  private static final long FIRST_DIRECTORY = 1_000_000_000;

  private final Map<String, FileFacts> files = new TreeMap<>();
  private final Map<String, Long> directories = new HashMap<>();
  private Runnable whileListed = () -> {};

  public void put(FileFacts file) {
    files.put(file.path(), file);
  }

  public void remove(String path) {
    files.remove(path);
  }

  public void rename(String from, String to) {
    FileFacts file = files.remove(from);
    put(
        FileFacts.of(
                to,
                file.inodeId(),
                file.length(),
                file.blockSize(),
                file.replication(),
                file.modified())
            .withAccess(file.lastUsed()));
  }

  /** Lists it into an index, as at this time. */
  public void takeInto(NamespaceIndex index, Timestamps notes, Instant at) {
    ListingUpdate relisting = index.relist();
    read(relisting::directory);
    ListingResult unused = relisting.end();
    notes.instant(Timestamps.LAST_LISTING, at);
  }

  /** Happens at the end of the next listing. */
  public void whileListed(Runnable what) {
    whileListed = what;
  }

  @Override
  public DirectoryListing directories() {
    return this;
  }

  @Override
  public FileLookup files() {
    return this;
  }

  @Override
  public Optional<Inode.File> find(long inode) {
    return files.values().stream()
        .filter(file -> file.inodeId() == inode)
        .map(ListedNamespace::inode)
        .findFirst();
  }

  @Override
  public Optional<Inode.File> find(String path) {
    return Optional.ofNullable(files.get(path)).map(ListedNamespace::inode);
  }

  @Override
  public AccessTimeSetting accessTimes() {
    return () -> new AccessTimeSetting.Answer(Duration.ofHours(1), Optional.empty());
  }

  /** It never changes by itself. */
  @Override
  public EditLog editLog() {
    return new EditLog() {
      @Override
      public long newest() {
        return 0;
      }

      @Override
      public EditBatch after(long transaction) throws IOException {
        throw new IOException("There is no edit log here");
      }
    };
  }

  @Override
  public ProbeRead ownReads() {
    return () -> {};
  }

  @Override
  public Image image(Path folder, ImageOrigin origin) throws IOException {
    throw new IOException("There is no image here");
  }

  @Override
  public void read(Visitor visitor) {
    Map<String, List<Inode>> children = new TreeMap<>(Map.of("/", new ArrayList<>()));
    for (FileFacts file : files.values()) {
      String parent = parentOf(file.path());
      add(parent, children);
      children.get(parent).add(inode(file));
    }
    children.forEach(
        (path, inodes) -> visitor.directory(directory(path), id(parentOf(path)), inodes));
    Runnable once = whileListed;
    whileListed = () -> {};
    once.run();
  }

  private void add(String path, Map<String, List<Inode>> children) {
    if (!children.containsKey(path)) {
      children.put(path, new ArrayList<>());
      add(parentOf(path), children);
      children.get(parentOf(path)).add(directory(path));
    }
  }

  @Override
  public void read(List<String> parentsFirst, Visitor visitor) {
    List<Long> wanted = parentsFirst.stream().map(this::id).toList();
    read(
        (found, parent, children) -> {
          if (wanted.contains(found.id())) {
            visitor.directory(found, parent, children);
          }
        });
  }

  private static String parentOf(String path) {
    return path.substring(0, Math.max(1, path.lastIndexOf('/')));
  }

  private long id(String directory) {
    return directory.equals("/")
        ? Inode.ROOT
        : directories.computeIfAbsent(directory, path -> FIRST_DIRECTORY + directories.size());
  }

  private Inode.Directory directory(String path) {
    return new Inode.Directory(
        id(path), path.substring(path.lastIndexOf('/') + 1), "hdfs", "hdfs", 0, Snapshots.NONE);
  }

  /** The file as HDFS lists it. */
  public static Inode.File inode(FileFacts file) {
    return new Inode.File(
        file.inodeId(),
        file.path().substring(file.path().lastIndexOf('/') + 1),
        new FileAttributes(
            file.length(),
            file.blockSize(),
            file.blocks(),
            file.replication(),
            file.modified().toEpochMilli(),
            file.accessed().map(at -> at.toEpochMilli()).orElse(0L),
            file.owner(),
            file.group(),
            0,
            file.traits()));
  }
}
