package io.hdfsraid.raidnode.fsimage;

import java.io.IOException;
import java.util.Arrays;

/**
 * The inodes that were renamed while a snapshot held them: directories have them by their place in
 * this list.
 */
final class ReferenceTable {
  private long[] inodes = new long[64];
  private int size;

  private ReferenceTable() {}

  /** That of an image without any. */
  static ReferenceTable empty() {
    return new ReferenceTable();
  }

  static ReferenceTable of(Messages messages) throws IOException {
    ReferenceTable table = new ReferenceTable();
    while (messages.next()) {
      table.add(inode(messages));
    }
    return table;
  }

  private static long inode(Messages messages) throws IOException {
    long inode = 0;
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = Wire.field(tag);
      switch (tag) {
        case 1 << 3 | Wire.VARINT -> inode = messages.number();
        case 2 << 3 | Wire.BYTES, 3 << 3 | Wire.VARINT, 4 << 3 | Wire.VARINT -> messages.pass(tag);
        default -> above = messages.skip(tag, 4);
      }
    }
    messages.end();
    if (inode == 0) {
      throw messages.damaged("a reference is to no inode");
    }
    return inode;
  }

  private void add(long inode) {
    if (size == inodes.length) {
      inodes = Arrays.copyOf(inodes, size + (size >> 1));
    }
    inodes[size++] = inode;
  }

  /** The inode at this place. */
  long inode(int place, Messages messages) throws IOException {
    if (place >= size) {
      throw messages.damaged(
          "reference %d is meant, and the section %s has %d"
              .formatted(place, Section.REFERENCES, size));
    }
    return inodes[place];
  }
}
