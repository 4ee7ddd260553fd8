// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.namespace.Inode.Snapshots;

/** A directory. */
record DirectoryEntry(
    long id,
    long parent,
    String name,
    String owner,
    String group,
    int storagePolicy,
    Snapshots snapshots)
    implements Entry {

  /** Returns a directory that no source has reported, but that must exist. */
  static DirectoryEntry assumed(long id, long parent, String name) {
    return new DirectoryEntry(id, parent, name, "", "", 0, Snapshots.NONE);
  }

  @Override
  public Type type() {
    return Type.DIRECTORY;
  }

  boolean isRoot() {
    return id == Inode.ROOT;
  }

  @Override
  public DirectoryEntry movedTo(long newParent, String newName) {
    return new DirectoryEntry(id, newParent, newName, owner, group, storagePolicy, snapshots);
  }

  @Override
  public DirectoryEntry identified(long trueId) {
    return new DirectoryEntry(trueId, parent, name, owner, group, storagePolicy, snapshots);
  }

  DirectoryEntry ownedBy(String newOwner, String newGroup) {
    return new DirectoryEntry(id, parent, name, newOwner, newGroup, storagePolicy, snapshots);
  }
}
