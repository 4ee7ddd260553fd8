// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.parity.Footprint;
import io.hdfsraid.drfs.parity.RefusedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The contents of the root: counts them and removes empty directories. Directories are removed one
 * by one and only if they are empty, so that files created after the check are never removed.
 */
final class RootContents {
  private static final boolean ONLY_IF_EMPTY = false;

  private final DFSClient client;
  private final Writer writer;
  private final OwnedDirectories directories;
  private final ParityPaths paths;
  private final ManifestPieces pieces;

  RootContents(
      DFSClient client,
      Writer writer,
      OwnedDirectories directories,
      ParityPaths paths,
      ManifestPieces pieces) {
    this.client = client;
    this.writer = writer;
    this.pieces = pieces;
    this.directories = directories;
    this.paths = paths;
  }

  /**
   * Counts everything, with one listing of each directory. Drafts come first: one that is committed
   * meanwhile is counted twice, and not missed.
   */
  Footprint footprint() throws IOException {
    Counter counter = new Counter();
    HdfsFileStatus root = client.getFileInfo(paths.root());
    if (root == null) {
      return Footprint.NONE;
    }
    DirectoryPages.forEach(client, paths.drafts(), draft -> counter.draft(draft, paths.drafts()));
    DirectoryPages.forEach(
        client,
        paths.root(),
        entry -> {
          String path = entry.getFullName(paths.root());
          if (path.equals(paths.drafts())) {
            return; // counted above
          }
          if (path.equals(paths.manifests())) {
            DirectoryPages.forEach(client, path, piece -> counter.piece(piece, path));
            counter.drafts(pieces.leftOver().size());
          } else if (paths.directories().contains(path)) {
            boolean quarantine = path.equals(paths.quarantine());
            Predicate<String> name =
                quarantine
                    ? file -> ParityPaths.quarantinedInodeOf(file).isPresent()
                    : file -> ParityPaths.inodeOf(file).isPresent();
            forEachBelow(path, file -> counter.file(file, name, quarantine), counter::foreign);
          } else if (path.equals(paths.audit()) && entry.isDirectory()) {
            DirectoryPages.forEach(client, path, file -> counter.audit(file, path));
          } else if (!path.equals(paths.owner())) {
            counter.foreign(path);
          }
        });
    return counter.asFootprint();
  }

  private interface FoundVisitor {
    void visit(Found file) throws IOException;
  }

  private record Found(String path, HdfsFileStatus status) {}

  private interface Stranger {
    void found(String path);
  }

  private void forEachBelow(String top, FoundVisitor visitor, Stranger stranger)
      throws IOException {
    DirectoryPages.forEach(
        client,
        top,
        directory -> {
          String path = directory.getFullName(top);
          if (!directory.isDirectory() || !directories.isOurs(path)) {
            stranger.found(path);
            return;
          }
          DirectoryPages.forEach(
              client, path, file -> visitor.visit(new Found(file.getFullName(path), file)));
        });
  }

  private final class Counter {
    private long committed;
    private long quarantined;
    private long drafts;
    private long strangers;
    private final List<String> foreign = new ArrayList<>();

    void draft(HdfsFileStatus entry, String parent) throws IOException {
      String path = entry.getFullName(parent);
      if (directories.isOurs(path) || directories.isAbandoned(path, entry)) {
        drafts++;
      } else {
        foreign(path);
      }
    }

    /** What is in its place is counted with its parity file. */
    void piece(HdfsFileStatus entry, String parent) throws IOException {
      if (ParityPaths.pieceOf(entry.getLocalName()).isEmpty()
          || !directories.isOurFile(parent, entry)) {
        foreign(entry.getFullName(parent));
      }
    }

    /** The audit is deleted right before the root, so it keeps nothing from going. */
    void audit(HdfsFileStatus entry, String parent) {
      if (!entry.isFile() || !ParitySettings.isAuditFile(entry.getLocalName())) {
        foreign(entry.getFullName(parent));
      }
    }

    void drafts(int leftOver) {
      drafts += leftOver;
    }

    void file(Found file, Predicate<String> name, boolean quarantine) {
      boolean ours =
          file.status().isFile()
              && file.status().getOwner().equals(directories.user())
              && name.test(file.status().getLocalName());
      if (!ours) {
        foreign(file.path());
      } else if (quarantine) {
        quarantined++;
      } else {
        committed++;
      }
    }

    void foreign(String path) {
      strangers++;
      if (foreign.size() < Footprint.MOST_FOREIGN) {
        foreign.add(path);
      }
    }

    Footprint asFootprint() {
      return new Footprint(true, committed, quarantined, drafts, foreign, strangers);
    }
  }

  /**
   * Removes the empty directories of this product two levels below the root that have not changed
   * since the given time.
   *
   * @return the number of removed directories
   */
  int sweepDirectories(Instant unchangedSince) throws IOException {
    int removed = 0;
    for (String top : paths.directories()) {
      if (top.equals(paths.drafts())) {
        continue; // contains drafts, not directories of files
      }
      List<String> old = new ArrayList<>();
      DirectoryPages.forEach(
          client,
          top,
          directory -> {
            if (directory.isDirectory()
                && directory.getModificationTime() < unchangedSince.toEpochMilli()) {
              old.add(directory.getFullName(top));
            }
          });
      for (String directory : old) {
        removed += removeEmpty(directory) ? 1 : 0;
      }
    }
    return removed;
  }

  /**
   * Removes an empty directory. Returns false if it is not ours, does not exist or is not empty.
   */
  private boolean removeEmpty(String directory) throws IOException {
    if (!directories.isOurs(directory) || !isEmpty(directory)) {
      return false;
    }
    try {
      return writer.get().delete(directory, ONLY_IF_EMPTY);
    } catch (RemoteException e) {
      if (e.unwrapRemoteException() instanceof PathIsNotEmptyDirectoryException) {
        return false;
      }
      throw e;
    } catch (PathIsNotEmptyDirectoryException | FileNotFoundException e) {
      return false;
    }
  }

  private boolean isEmpty(String directory) throws IOException {
    var page = client.listPaths(directory, HdfsFileStatus.EMPTY_NAME);
    return page != null && page.getPartialListing().length == 0;
  }

  /**
   * Removes the directories below the root if only they and the owner file are left.
   *
   * @throws RefusedException if there are other files; the message names them
   */
  void removeDirectories() throws IOException {
    Footprint footprint = footprint();
    if (!footprint.onlyDirectories()) {
      throw new RefusedException(
          "%s is not empty: %d parity files, %d in quarantine, %d drafts, %d entries that are not ours %s"
              .formatted(
                  paths.root(),
                  footprint.committed(),
                  footprint.quarantined(),
                  footprint.drafts(),
                  footprint.foreignEntries(),
                  footprint.foreign()));
    }
    sweepDirectories(Instant.ofEpochMilli(Long.MAX_VALUE));
    for (String directory : paths.directories()) {
      if (client.getFileInfo(directory) != null && !removeEmpty(directory)) {
        throw new RefusedException(
            directory + " is not an empty directory of this product; it was not removed");
      }
    }
  }

  /** Removes the root itself. Returns false if it is not empty. */
  boolean removeRoot() throws IOException {
    return client.getFileInfo(paths.root()) == null || removeEmpty(paths.root());
  }
}
