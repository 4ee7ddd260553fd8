package io.hdfsraid.raidnode.namespace;

import java.util.Objects;

/** An entry of a namespace: by number, with its own name and not with its path. */
public sealed interface Inode {
  /** The number of the root directory of every HDFS. */
  long ROOT = 16_385;

  long id();

  /** Its name in its directory; empty for the root. */
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

  /** What snapshots there may be of a directory. */
  enum Snapshots {
    /** None can be made of it. */
    FORBIDDEN,
    /** There is none. */
    NONE,
    /** There are some: they hold what was below it then. */
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
