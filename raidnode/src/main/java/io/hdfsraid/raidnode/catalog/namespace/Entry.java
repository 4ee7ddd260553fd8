package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.namespace.Inode;

/**
 * An inode and its place. Those that HDFS has not yet told the number of have a negative one, which
 * is ours.
 */
sealed interface Entry permits FileEntry, DirectoryEntry, LinkEntry {
  long id();

  /** The directory it is in; 0 for the root. */
  long parent();

  String name();

  Type type();

  /** The same, elsewhere. */
  Entry movedTo(long parent, String name);

  /** The same, under the number that HDFS gives it. */
  Entry identified(long id);

  default boolean isProvisional() {
    return id() < 0;
  }

  /** What an entry is. The tag is on disk. */
  enum Type {
    FILE(0),
    DIRECTORY(1),
    LINK(2);

    private final int tag;

    Type(int tag) {
      this.tag = tag;
    }

    int tag() {
      return tag;
    }

    static Type ofTag(int tag) {
      for (Type type : values()) {
        if (type.tag == tag) {
          return type;
        }
      }
      throw new IllegalArgumentException("no type of an entry has the tag " + tag);
    }

    static Type of(Inode inode) {
      return inode instanceof Inode.File
          ? FILE
          : inode instanceof Inode.Directory ? DIRECTORY : LINK;
    }
  }

  /** As a source tells of it. */
  static Entry of(Inode inode, long parent) {
    if (inode instanceof Inode.File file) {
      return FileEntry.of(file, parent);
    }
    if (inode instanceof Inode.Directory directory) {
      return new DirectoryEntry(
          directory.id(),
          directory.id() == Inode.ROOT ? 0 : parent,
          directory.name(),
          directory.owner(),
          directory.group(),
          directory.storagePolicy(),
          directory.snapshots());
    }
    return new LinkEntry(inode.id(), parent, inode.name());
  }
}
