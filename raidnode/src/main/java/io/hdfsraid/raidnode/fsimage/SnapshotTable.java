package io.hdfsraid.raidnode.fsimage;

import io.hdfsraid.raidnode.namespace.Inode.Snapshots;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * Which directories have snapshots, or may have. There are as many as administrators have allowed.
 *
 * @param allowed inodes of directories of which snapshots may be made
 * @param taken inodes of those of which there are some
 */
record SnapshotTable(Set<Long> allowed, Set<Long> taken) {
  /** That of an image without a word of snapshots. */
  static final SnapshotTable EMPTY = new SnapshotTable(Set.of(), Set.of());

  static SnapshotTable of(Messages messages) throws IOException {
    Set<Long> allowed = new HashSet<>();
    int snapshots = 0;
    if (!messages.next()) {
      throw messages.damaged("the section is empty");
    }
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = Wire.field(tag);
      switch (tag) {
        case 1 << 3 | Wire.VARINT -> messages.pass(tag); // how many there have ever been
        case 2 << 3 | Wire.BYTES -> {
          int outer = messages.enter();
          while (messages.left() > 0) {
            allowed.add(messages.number());
          }
          messages.leave(outer);
        }
        case 2 << 3 | Wire.VARINT -> {
          allowed.add(messages.number());
          above--;
        }
        case 3 << 3 | Wire.VARINT -> snapshots = messages.smallNumber("the count of snapshots");
        default -> above = messages.skip(tag, 3);
      }
    }
    messages.end();
    Set<Long> taken = new HashSet<>();
    int found = 0;
    for (; messages.next(); found++) {
      taken.add(directory(messages));
    }
    if (found != snapshots || !allowed.containsAll(taken)) {
      throw messages.damaged(
          "%d snapshots of %d, of directories %s, where they are allowed of %s"
              .formatted(found, snapshots, taken, allowed));
    }
    return new SnapshotTable(allowed, taken);
  }

  /** Of which directory the snapshot is; it has a copy of its inode, with the same number. */
  private static long directory(Messages messages) throws IOException {
    long directory = 0;
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = Wire.field(tag);
      switch (tag) {
        case 1 << 3 | Wire.VARINT -> messages.pass(tag);
        case 2 << 3 | Wire.BYTES -> directory = InodeSection.number(messages);
        default -> above = messages.skip(tag, 2);
      }
    }
    messages.end();
    if (directory == 0) {
      throw messages.damaged("a snapshot is of no directory");
    }
    return directory;
  }

  Snapshots of(long inode) {
    if (allowed.isEmpty() || !allowed.contains(inode)) {
      return Snapshots.FORBIDDEN;
    }
    return taken.contains(inode) ? Snapshots.TAKEN : Snapshots.NONE;
  }
}
