package io.hdfsraid.drfs.hdfs;

import io.hdfsraid.drfs.manifest.ManifestFormatException;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.parity.ParityFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * Finds and reads committed parity; needs no more rights than reading the parity file does. Safe
 * for concurrent use.
 */
public final class ParityReader {
  private final DFSClient client;
  private final HdfsNamespace namespace;
  private final ParityPaths paths;

  /**
   * @param root of the parity, e.g. {@code /.raid}
   */
  public ParityReader(DistributedFileSystem fileSystem, String root) {
    this.client = fileSystem.getClient();
    this.namespace = new HdfsNamespace(fileSystem);
    this.paths = new ParityPaths(root);
  }

  /** The committed parity of the file with this inode id, with its manifest. */
  public Optional<ParityFile> find(long inode) throws IOException {
    return read(paths.parity(inode));
  }

  Optional<ParityFile> read(String path) throws IOException {
    Optional<FileState> file = namespace.file(path);
    if (file.isEmpty()) {
      return Optional.empty();
    }
    Map<String, byte[]> attributes;
    try {
      // By inode, so that the manifest is that of these blocks whatever is renamed meanwhile.
      attributes = client.getXAttrs(HdfsNamespace.inodePath(file.get().inode()));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ParityFile(
              file.get(), ManifestXAttrs.decode(attributes), ManifestXAttrs.phase(attributes)));
    } catch (ManifestFormatException e) {
      ManifestFormatException located =
          new ManifestFormatException("%s: %s".formatted(path, e.getMessage()));
      located.addSuppressed(e);
      throw located;
    }
  }
}
