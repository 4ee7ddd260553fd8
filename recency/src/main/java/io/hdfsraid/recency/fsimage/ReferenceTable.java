// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import java.io.IOException;
import java.util.Arrays;

/**
 * The inodes that were renamed while a snapshot held them. Directories refer to them by their index
 * in this list.
 */
final class ReferenceTable {
  private long[] inodes = new long[64];
  private int size;

  private ReferenceTable() {}

  /** The table of an image without references. */
  static ReferenceTable empty() {
    return new ReferenceTable();
  }

  static ReferenceTable of(MessageReader messages) throws IOException {
    ReferenceTable table = new ReferenceTable();
    while (messages.next()) {
      table.add(inode(messages));
    }
    return table;
  }

  private static long inode(MessageReader messages) throws IOException {
    long inode = 0;
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      switch (tag) {
        case 1 << 3 | WireType.VARINT -> inode = messages.number();
        case 2 << 3 | WireType.BYTES, 3 << 3 | WireType.VARINT, 4 << 3 | WireType.VARINT ->
            messages.pass(tag);
        default -> above = messages.skip(tag, 4);
      }
    }
    messages.end();
    if (inode == 0) {
      throw messages.damaged("a reference has no inode");
    }
    return inode;
  }

  private void add(long inode) {
    if (size == inodes.length) {
      inodes = Arrays.copyOf(inodes, size + (size >> 1));
    }
    inodes[size++] = inode;
  }

  /** Returns the inode at an index. */
  long inode(int place, MessageReader messages) throws IOException {
    if (place >= size) {
      throw messages.damaged(
          "reference %d is used, but the section %s has %d"
              .formatted(place, ImageSection.REFERENCES, size));
    }
    return inodes[place];
  }
}
