package io.hdfsraid.raidnode.fsimage;

/**
 * A part of an image.
 *
 * @param offset of its first byte, in the file
 * @param length in bytes, as they are in the file
 */
record Section(String name, long offset, long length) {
  static final String NAMESPACE = "NS_INFO";
  static final String STRINGS = "STRING_TABLE";
  static final String INODES = "INODE";
  static final String DIRECTORIES = "INODE_DIR";
  static final String REFERENCES = "INODE_REFERENCE";
  static final String SNAPSHOTS = "SNAPSHOT";

  /** What a NameNode adds to the name where it marks pieces that may be read at once. */
  private static final String PIECE = "_SUB";

  long end() {
    return offset + length;
  }

  /** Whether it is only a piece of another section, marked for those who read in parallel. */
  boolean isPiece() {
    return name.endsWith(PIECE);
  }

  /** The name of the section of which this is a piece. */
  String whole() {
    return name.substring(0, name.length() - PIECE.length());
  }
}
