package io.hdfsraid.drfs.parity;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * Parity that is not committed: a directory of its own under {@code tmp}, which the janitor may
 * remove at any time after a crash. Units are written one file each, then concatenated, described
 * and renamed into place.
 */
public interface ParityDraft extends Closeable {

  /**
   * Has units that are started from now on, and the parity made of them, follow a storage policy:
   * the one of the source. Nothing is asked of HDFS where nothing was specified.
   */
  default void follow(StoragePolicy policy) throws IOException {}

  /**
   * Starts a parity unit. Several may be open at once, each used by a thread of its own.
   *
   * @param index its place in the parity file: stripe · m + parity
   * @param favoured where its replica shall go; a request that HDFS does not always grant
   * @param length how long it will be, which bounds the block
   */
  UnitOutput create(int index, Optional<DataNode> favoured, long length) throws IOException;

  /**
   * Concatenates units 0 to n-1 in order into one file, by metadata alone.
   *
   * @return the parity file as the NameNode now shows it, n blocks
   */
  FileState concat(int units) throws IOException;

  /**
   * Writes the manifest and gives the file the access rights of the members, never wider.
   *
   * @param source a member; all of them have the same rights
   */
  void describe(Manifest manifest, FileState source) throws IOException;

  /** Renames the parity into its place: the commit point. Refuses when there is parity already. */
  ParityFile commit() throws IOException;

  /** Removes what is left of the draft; nothing when it was committed. */
  @Override
  void close() throws IOException;
}
