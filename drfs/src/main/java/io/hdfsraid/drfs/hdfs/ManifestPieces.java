// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * The pieces of manifests that need more bytes than HDFS allows in the attributes of one file:
 * empty files {@code manifest/<inode id of the parity file>.<n>}, n from 1 on, each with as many
 * attributes as it may have.
 *
 * <p>Pieces never move. They belong to their parity file by its inode id, wherever that file is, so
 * its rename alone commits it and takes it out of service. Pieces of a parity file that does not
 * exist are left over from a crash, for HDFS gives no inode id out twice.
 */
final class ManifestPieces implements AccessRights.Pieces {
  private static final long NO_LENGTH = 1;

  private final HdfsParityStore store;
  private final DFSClient client;
  private final UnitFiles files;
  private final OwnedDirectories directories;
  private final ParityPaths paths;

  /** The number of pieces by the inode id of the parity file; empty until they were listed. */
  private volatile Optional<Map<Long, Integer>> known = Optional.empty();

  ManifestPieces(
      HdfsParityStore store,
      DFSClient client,
      UnitFiles files,
      OwnedDirectories directories,
      ParityPaths paths) {
    this.store = store;
    this.client = client;
    this.files = files;
    this.directories = directories;
    this.paths = paths;
  }

  /**
   * Writes the pieces of a manifest, readable by the daemon only.
   *
   * @param pieces the attributes of each piece beyond those of the parity file
   */
  void write(long parityInode, List<Map<String, byte[]>> pieces) throws IOException {
    if (pieces.isEmpty()) {
      return;
    }
    known().put(parityInode, pieces.size());
    for (int piece = 1; piece <= pieces.size(); piece++) {
      String path = paths.manifestPiece(parityInode, piece);
      store.checkFence();
      files.create(path, NO_LENGTH, Optional.empty()).close();
      store.setXAttrs(path, pieces.get(piece - 1));
    }
  }

  @Override
  public List<String> of(long parityInode) throws IOException {
    return IntStream.rangeClosed(1, known().getOrDefault(parityInode, 0))
        .mapToObj(piece -> paths.manifestPiece(parityInode, piece))
        .toList();
  }

  /**
   * Removes the pieces of a parity file that does not exist any more. Does nothing while it does: a
   * commit whose answer was lost may have been carried out.
   */
  void remove(long parityInode) throws IOException {
    if (of(parityInode).isEmpty() || exists(parityInode)) {
      return;
    }
    boolean recursive = false;
    for (String path : of(parityInode)) {
      store.writer().delete(path, recursive);
    }
    known().remove(parityInode);
  }

  /** Removes what {@link #leftOver} finds and returns the number of parity files that had it. */
  int sweep() throws IOException {
    List<Long> left = leftOver();
    for (long parityInode : left) {
      remove(parityInode);
    }
    return left.size();
  }

  /** Returns the inode ids of parity files that do not exist and have pieces. */
  List<Long> leftOver() throws IOException {
    list(known());
    List<Long> left = new ArrayList<>();
    for (long parityInode : known().keySet()) {
      if (!exists(parityInode)) {
        left.add(parityInode);
      }
    }
    return left;
  }

  private boolean exists(long inode) throws IOException {
    try {
      HdfsFileStatus status = InodePath.ask(inode, client::getFileInfo);
      return status != null && status.getFileId() == inode;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  private synchronized Map<Long, Integer> known() throws IOException {
    if (known.isEmpty()) {
      Map<Long, Integer> found = new ConcurrentHashMap<>();
      list(found);
      known = Optional.of(found);
    }
    return known.get();
  }

  /** Adds what is there. What was added before stays: a draft may be about to be written. */
  private void list(Map<Long, Integer> found) throws IOException {
    DirectoryPages.forEach(
        client,
        paths.manifests(),
        entry -> {
          Optional<ParityPaths.Piece> piece = ParityPaths.pieceOf(entry.getLocalName());
          if (piece.isPresent() && directories.isOurFile(paths.manifests(), entry)) {
            found.merge(piece.get().parityInode(), piece.get().number(), Math::max);
          }
        });
  }
}
