package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.namespace.CallPermits;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Finds and reads committed parity. Needs only the permission to read the parity file. Safe for
 * concurrent use.
 */
public final class ParityReader {
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
   * Returns the parity of the group that the hint on this file names; empty if there is no hint, or
   * if the manifest of the group does not name the file. Uses the permissions of the reader.
   */
  public Optional<ParityFile> findGroup(LocatedFile member) throws IOException {
    Optional<GroupId> group;
    try {
      group = ManifestXAttrs.group(client.getXAttrs(member.path()));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
    return group.isEmpty()
        ? Optional.empty()
        : find(group.get().value())
            .filter(
                parity ->
                    parity.manifest().members().stream()
                        .anyMatch(named -> named.inode() == member.inode()));
  }

  Optional<ParityFile> read(String path) throws IOException {
    Optional<LocatedFile> file = namespace.file(path);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    calls.await(1);
    Map<String, byte[]> attributes;
    try {
      // By inode, so that the manifest belongs to these blocks even if files are renamed meanwhile.
      attributes = client.getXAttrs(HdfsNamespace.inodePath(file.get().inode()));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ParityFile(
              file.get(),
              ManifestXAttrs.decode(attributes),
              ManifestXAttrs.phase(attributes),
              ManifestXAttrs.leaving(attributes)));
    } catch (ManifestFormatException e) {
      ManifestFormatException located =
          new ManifestFormatException("%s: %s".formatted(path, e.getMessage()));
      located.addSuppressed(e);
      throw located;
    }
  }
}
