// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.namespace.Inode;

/**
 * An inode and its place. Events do not contain inode ids; an entry that only events have reported
 * has a negative number of our own.
 */
sealed interface Entry permits FileEntry, DirectoryEntry, LinkEntry {
  long id();

  /** Returns the inode id of the parent directory; 0 for the root. */
  long parent();

  String name();

  Type type();

  /** Returns the same entry in another place. */
  Entry movedTo(long parent, String name);

  /** Returns the same entry under the inode id that HDFS gave it. */
  Entry identified(long id);

  default boolean isProvisional() {
    return id() < 0;
  }

  /** The type of an entry. The tag is on disk. */
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

  /** Returns the entry for an inode that a source reported. */
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
