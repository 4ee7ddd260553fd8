// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.namespace.CallPermits;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;

/**
 * Finds and reads committed parity. Needs only the permission to read the parity file. Safe for
 * concurrent use.
 */
public final class ParityReader {
  /** So many generations are tried from the one that a hint names. */
  private static final int GENERATIONS = 16;

  private final DFSClient client;
  private final HdfsNamespace namespace;
  private final ParityPaths paths;
  private final CallPermits calls;

  /**
   * @param root of the parity, e.g. {@code /.raid}
   */
  public ParityReader(DistributedFileSystem fileSystem, String root) {
    this(fileSystem, root, CallPermits.UNLIMITED);
  }

  /** Creates a reader with a rate limit on calls to the NameNode. */
  ParityReader(DistributedFileSystem fileSystem, String root, CallPermits calls) {
    this.client = fileSystem.getClient();
    this.calls = calls;
    this.namespace = new HdfsNamespace(fileSystem, calls, Duration.ZERO);
    this.paths = new ParityPaths(root);
  }

  /** Returns the committed parity with this id, of an inode or a group, and its manifest. */
  public Optional<ParityFile> find(long id) throws IOException {
    return read(paths.parity(id));
  }

  /**
   * Returns the parity of the group that the hint on this file names, or of a later generation of
   * that group; empty if there is no hint, or if no manifest of the group names the file. The hint
   * on a file in a snapshot is as old as the snapshot, so the hint on the live file is read, too.
   * Uses the permissions of the reader.
   */
  public Optional<ParityFile> findGroup(LocatedFile member) throws IOException {
    Optional<GroupId> atPath = hint(member.path());
    Optional<ParityFile> found = findGeneration(atPath, member);
    if (found.isPresent()) {
      return found;
    }
    Optional<GroupId> live = liveHint(member.inode());
    return live.equals(atPath) ? Optional.empty() : findGeneration(live, member);
  }

  private Optional<ParityFile> findGeneration(Optional<GroupId> first, LocatedFile member)
      throws IOException {
    Optional<GroupId> group = first;
    for (int i = 0; group.isPresent() && i < GENERATIONS; i++) {
      Optional<ParityFile> parity =
          find(group.get().value())
              .filter(
                  found ->
                      found.manifest().members().stream()
                          .anyMatch(named -> named.inode() == member.inode()));
      if (parity.isPresent()) {
        return parity;
      }
      group = group.map(GroupId::successor);
    }
    return Optional.empty();
  }

  private Optional<GroupId> hint(String path) throws IOException {
    try {
      return ManifestXAttrs.group(client.getXAttrs(path));
    } catch (FileNotFoundException | AccessControlException e) {
      return Optional.empty();
    }
  }

  private Optional<GroupId> liveHint(long inode) throws IOException {
    try {
      return InodePath.ask(inode, this::hint);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  Optional<ParityFile> read(String path) throws IOException {
    Optional<LocatedFile> file = namespace.file(path);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    long inode = file.get().inode();
    Map<String, byte[]> attributes;
    try {
      // By inode, so that the manifest belongs to these blocks even if files are renamed meanwhile.
      attributes = InodePath.ask(inode, this::attributes);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
    try {
      Optional<Manifest> manifest = manifest(inode, attributes);
      return manifest.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new ParityFile(
                  file.get(),
                  manifest.get(),
                  ManifestXAttrs.phase(attributes),
                  ManifestXAttrs.leaving(attributes),
                  ManifestXAttrs.abandoned(attributes)));
    } catch (ManifestFormatException e) {
      throw e.at(path);
    }
  }

  /** Returns the manifest; empty if the parity file was removed while its pieces were read. */
  private Optional<Manifest> manifest(long parityInode, Map<String, byte[]> attributes)
      throws IOException {
    List<Map<String, byte[]>> pieces = new ArrayList<>(List.of(attributes));
    int further = ManifestXAttrs.furtherPieces(attributes);
    for (int piece = 1; piece <= further; piece++) {
      String path = paths.manifestPiece(parityInode, piece);
      try {
        pieces.add(attributes(path));
      } catch (FileNotFoundException e) {
        if (namespace.file(parityInode).isEmpty()) {
          return Optional.empty();
        }
        throw new ManifestFormatException(
            "Piece %d of %d of its manifest is missing at %s".formatted(piece, further, path));
      }
    }
    return Optional.of(ManifestXAttrs.decode(pieces));
  }

  private Map<String, byte[]> attributes(String path) throws IOException {
    calls.await(1);
    return client.getXAttrs(path);
  }
}
