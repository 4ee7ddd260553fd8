package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.parity.RefusedException;
import io.hdfsraid.drfs.parity.Traces;
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
 * What lies below the root, and the removal of what is empty there. Directories are removed one by
 * one and never with what is in them, so that nothing goes which came after the look.
 */
final class RootContents {
  private static final boolean ONLY_IF_EMPTY = false;

  private final DFSClient client;
  private final OwnedDirectories directories;
  private final ParityPaths paths;

  RootContents(DFSClient client, OwnedDirectories directories, ParityPaths paths) {
    this.client = client;
    this.directories = directories;
    this.paths = paths;
  }

  /** Counts everything, by one listing of each directory. */
  Traces traces() throws IOException {
    Count count = new Count();
    HdfsFileStatus root = client.getFileInfo(paths.root());
    if (root == null) {
      return Traces.NONE;
    }
    Pages.forEach(
        client,
        paths.root(),
        entry -> {
          String path = entry.getFullName(paths.root());
          if (path.equals(paths.drafts())) {
            Pages.forEach(client, path, draft -> count.draft(draft, path));
          } else if (paths.directories().contains(path)) {
            boolean quarantine = path.equals(paths.quarantine());
            Predicate<String> name =
                quarantine
                    ? file -> ParityPaths.quarantinedInodeOf(file).isPresent()
                    : file -> ParityPaths.inodeOf(file).isPresent();
            forEachBelow(path, file -> count.file(file, name, quarantine), count::foreign);
          } else if (!path.equals(paths.owner())) {
            count.foreign(path);
          }
        });
    return count.asTraces();
  }

  private interface FileVisitor {
    void visit(Found file) throws IOException;
  }

  private record Found(String path, HdfsFileStatus status) {}

  private interface Stranger {
    void found(String path);
  }

  private void forEachBelow(String top, FileVisitor visitor, Stranger stranger) throws IOException {
    Pages.forEach(
        client,
        top,
        directory -> {
          String path = directory.getFullName(top);
          if (!directory.isDirectory() || !directories.isOurs(path)) {
            stranger.found(path);
            return;
          }
          Pages.forEach(
              client, path, file -> visitor.visit(new Found(file.getFullName(path), file)));
        });
  }

  private final class Count {
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
      if (foreign.size() < Traces.MOST_FOREIGN) {
        foreign.add(path);
      }
    }

    Traces asTraces() {
      return new Traces(true, committed, quarantined, drafts, foreign, strangers);
    }
  }

  /**
   * Removes the empty directories of ours two levels below the root that nothing was put into, or
   * taken out of, since then.
   *
   * @return how many
   */
  int sweepDirectories(Instant unchangedSince) throws IOException {
    int removed = 0;
    for (String top : paths.directories()) {
      if (top.equals(paths.drafts())) {
        continue; // what is in there are drafts, not directories of files
      }
      List<String> old = new ArrayList<>();
      Pages.forEach(
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

  /** False when it is not ours, not there, or not empty. */
  private boolean removeEmpty(String directory) throws IOException {
    if (!directories.isOurs(directory) || !isEmpty(directory)) {
      return false;
    }
    try {
      return client.delete(directory, ONLY_IF_EMPTY);
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
   * Removes the directories below the root, of which nothing is left but them and the owner file.
   *
   * @throws RefusedException when there is more, which is named
   */
  void removeDirectories() throws IOException {
    Traces traces = traces();
    if (!traces.onlyDirectories()) {
      throw new RefusedException(
          "%s is not empty: %d parity files, %d in quarantine, %d drafts, %d entries that are not ours %s"
              .formatted(
                  paths.root(),
                  traces.committed(),
                  traces.quarantined(),
                  traces.drafts(),
                  traces.foreignEntries(),
                  traces.foreign()));
    }
    sweepDirectories(Instant.ofEpochMilli(Long.MAX_VALUE));
    for (String directory : paths.directories()) {
      if (client.getFileInfo(directory) != null && !removeEmpty(directory)) {
        throw new RefusedException(directory + " is not an empty directory of ours; it is left");
      }
    }
  }

  /** Removes the root itself, if it is empty; false when something is in it. */
  boolean removeRoot() throws IOException {
    return client.getFileInfo(paths.root()) == null || removeEmpty(paths.root());
  }
}
