package io.hdfsraid.raidnode.catalog.namespace;

/**
 * The column families. A change of what their keys mean needs another {@link Generation#FORMAT}.
 */
enum Column {
  /** Inode id to {@link FileEntry}. */
  FILES("files"),
  /** Inode id to {@link DirectoryEntry}. */
  DIRECTORIES("directories"),
  /** Inode id to {@link LinkEntry}. */
  LINKS("links"),
  /** Directory and hash of a name to the {@link Child}ren there. */
  PLACES("places"),
  /** Epoch, last use and inode id of files; see {@link Order}. */
  ORDER("order"),
  /** Number to {@link Kind}. */
  KINDS("kinds"),
  /**
   * Inode id to the last transaction that changed, made or removed the entry, not accesses; and
   * place to the last that took a provisional one away from there.
   */
  TOUCHED("touched"),
  /** Directories whose contents have yet to be gone through; see {@link Chore}. */
  CHORES("chores"),
  /** What there is one of. */
  META("meta");

  private final String family;

  Column(String family) {
    this.family = family;
  }

  String family() {
    return family;
  }
}
