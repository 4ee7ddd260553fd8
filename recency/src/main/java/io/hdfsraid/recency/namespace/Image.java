// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.namespace;

import java.io.IOException;
import java.util.Map;

/** A namespace as it was at one moment, in no order. */
public interface Image {
  /** The prefix of extended attributes that only parity files have: the parts of the manifest. */
  String MARK_OF_PARITY = "user.raid.manifest.";

  /** Returns the last transaction that the image contains. */
  long transaction();

  /** Returns the number of inodes; 0 if unknown. */
  long inodes();

  /**
   * Passes the whole image to the visitor, once.
   *
   * @throws IOException if the image is damaged or cut short, with path and offset; what the
   *     visitor received until then must not be used
   */
  void read(Visitor visitor) throws IOException;

  /**
   * Receives inodes and their places; either may come first. An inode that only snapshots hold has
   * no place, or is below one that has none.
   */
  interface Visitor {
    /** Receives an inode. */
    void inode(Inode inode);

    /**
     * Receives a file with extended attributes of ours: a parity file, or a member of a group.
     *
     * @param marks the attributes; their names begin with {@code user.raid.}
     */
    default void inode(Inode.File file, Map<String, byte[]> marks) {
      inode(file);
    }

    /** Receives the parent directory of an inode. The root has none. */
    void place(long child, long parent);
  }
}
