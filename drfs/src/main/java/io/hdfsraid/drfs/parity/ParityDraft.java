// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.drfs.parity;

import io.hdfsraid.drfs.block.DataNode;
import io.hdfsraid.drfs.manifest.Manifest;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.StoragePolicy;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/**
 * Parity that is not committed yet, in a directory of its own below {@code tmp}. The units are
 * written to one file each. They are then concatenated, given the manifest and the access rights,
 * and renamed into place. After a crash the janitor may remove the directory at any time.
 */
public interface ParityDraft extends Closeable {

  /**
   * Gives the storage policy of the source to all units created from now on and to the parity made
   * of them. Does nothing if no policy is set.
   */
  default void follow(StoragePolicy policy) throws IOException {}

  /**
   * Refuses a manifest that cannot be stored, before anything is read and encoded for it.
   *
   * @param manifest with any CRCs; they do not change its size
   * @throws ManifestTooLargeException if {@link #describe} would refuse it
   */
  default void requireStorable(Manifest manifest) throws IOException {}

  /**
   * Starts a parity unit. Several may be open at once, each used by a thread of its own.
   *
   * @param index its position in the parity file: stripe · m + parity
   * @param favoured the favored node for its replica; HDFS does not always honour the request
   * @param length its length, which limits the size of the block
   */
  UnitOutput create(int index, Optional<DataNode> favoured, long length) throws IOException;

  /**
   * Lends the directory of the draft to a user of the cluster, who writes units into it in place of
   * this process. The loan must have ended before the units are concatenated.
   *
   * @throws UnsupportedOperationException if this cluster has no users
   */
  default DraftLoan lend(String user) throws IOException {
    throw new UnsupportedOperationException("Only drafts on HDFS are lent");
  }

  /**
   * Takes a unit that was written during a loan.
   *
   * @param index as for {@link #create}
   * @param name the name of its file in the directory of the draft
   * @param length its length
   */
  default void take(int index, String name, long length) {
    throw new UnsupportedOperationException("Only drafts on HDFS are lent");
  }

  /**
   * Concatenates units 0 to n-1 in order into one file, by metadata alone.
   *
   * @return the parity file as the NameNode shows it now, with n blocks
   */
  LocatedFile concat(int units) throws IOException;

  /**
   * Writes the manifest and sets the access rights of the file, which are never wider than those of
   * the members.
   *
   * @param source a member; all of them have the same rights
   */
  void describe(Manifest manifest, LocatedFile source) throws IOException;

  /**
   * Renames the parity into place. This is the commit point. Refuses if there is parity already.
   */
  ParityFile commit() throws IOException;

  /** Removes what is left of the draft. Does nothing if the draft was committed. */
  @Override
  void close() throws IOException;
}
