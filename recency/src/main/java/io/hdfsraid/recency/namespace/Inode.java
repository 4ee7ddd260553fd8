// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.namespace;

import java.util.Objects;

/** An inode: identified by its id, with its name but without its path. */
public sealed interface Inode {
  /** The inode id of the root directory of every HDFS. */
  long ROOT = 16_385;

  long id();

  /** Returns the name in the parent directory; empty for the root. */
  String name();

  /**
   * A directory.
   *
   * @param storagePolicy the number HDFS gives it; 0 where none is set here
   * @param snapshots whether snapshots of this directory exist, or may be made
   */
  record Directory(
      long id, String name, String owner, String group, int storagePolicy, Snapshots snapshots)
      implements Inode {
    public Directory {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(snapshots, "snapshots");
    }
  }

  /** The snapshots of a directory. */
  enum Snapshots {
    /** Snapshots are not allowed. */
    FORBIDDEN,
    /** There are no snapshots. */
    NONE,
    /** There are snapshots, which hold the earlier contents of the directory. */
    TAKEN
  }

  /** A file. */
  record File(long id, String name, FileAttributes attributes) implements Inode {
    public File {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(attributes, "attributes");
    }
  }

  /** A symbolic link: has a name that may be renamed and removed, and no content. */
  record Symlink(long id, String name) implements Inode {
    public Symlink {
      Objects.requireNonNull(name, "name");
    }
  }
}
