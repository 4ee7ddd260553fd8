// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.rocksdb.ColumnFamily;

/**
 * The column families. A change of what their keys mean needs another {@link Generation#FORMAT}.
 */
enum Column implements ColumnFamily {
  /** Inode id to {@link FileEntry}. */
  FILES("files"),
  /** Inode id to {@link DirectoryEntry}. */
  DIRECTORIES("directories"),
  /** Inode id to {@link LinkEntry}. */
  LINKS("links"),
  /** Directory and hash of a name to the {@link Child}ren there. */
  PLACES("places"),
  /** Epoch, last use and inode id of files; see {@link AccessOrder}. */
  ORDER("order"),
  /** Number to {@link SharedAttributes}. */
  ATTRIBUTES("attributes"),
  /**
   * Inode id to the last transaction that created, changed or removed the entry, without accesses;
   * and place to the last transaction that moved or removed a provisional entry there.
   */
  LAST_CHANGES("last-changes"),
  /** Tasks that are still to be done; see {@link DeferredTask}. */
  DEFERRED_TASKS("deferred-tasks"),
  /** Single values by name. */
  META("meta");

  private final String family;

  Column(String family) {
    this.family = family;
  }

  @Override
  public String family() {
    return family;
  }
}
