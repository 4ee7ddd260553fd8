// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

/**
 * A part of an image.
 *
 * @param offset of its first byte in the file
 * @param length in the file, in bytes
 */
record ImageSection(String name, long offset, long length) {
  static final String NAMESPACE = "NS_INFO";
  static final String STRINGS = "STRING_TABLE";
  static final String INODES = "INODE";
  static final String DIRECTORIES = "INODE_DIR";
  static final String REFERENCES = "INODE_REFERENCE";
  static final String SNAPSHOTS = "SNAPSHOT";

  /** The suffix of sections that a NameNode marks as pieces for parallel reading. */
  private static final String PIECE = "_SUB";

  long end() {
    return offset + length;
  }

  /** Returns whether this is a piece of another section, for parallel reading. */
  boolean isPiece() {
    return name.endsWith(PIECE);
  }

  /** Returns the name of the section to which this piece belongs. */
  String whole() {
    return name.substring(0, name.length() - PIECE.length());
  }
}
