// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.fsimage;

import io.hdfsraid.recency.namespace.Inode.Snapshots;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;

/**
 * The directories that have snapshots or allow them.
 *
 * @param allowed inode ids of directories that allow snapshots
 * @param taken inode ids of directories that have snapshots
 */
record SnapshotTable(Set<Long> allowed, Set<Long> taken) {
  /** The table of an image without snapshots. */
  static final SnapshotTable EMPTY = new SnapshotTable(Set.of(), Set.of());

  static SnapshotTable of(MessageReader messages) throws IOException {
    Set<Long> allowed = new HashSet<>();
    int snapshots = 0;
    if (!messages.next()) {
      throw messages.damaged("the section is empty");
    }
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      switch (tag) {
        case 1 << 3 | WireType.VARINT -> messages.pass(tag); // how many there have ever been
        case 2 << 3 | WireType.BYTES -> {
          int outer = messages.enter();
          while (messages.left() > 0) {
            allowed.add(messages.number());
          }
          messages.leave(outer);
        }
        case 2 << 3 | WireType.VARINT -> {
          allowed.add(messages.number());
          above--;
        }
        case 3 << 3 | WireType.VARINT -> snapshots = messages.smallNumber("the count of snapshots");
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

  /** Reads the directory of a snapshot from the copy of its inode, which has the same id. */
  private static long directory(MessageReader messages) throws IOException {
    long directory = 0;
    int above = 0;
    for (int tag = messages.tag(above); tag != 0; tag = messages.tag(above)) {
      above = WireType.field(tag);
      switch (tag) {
        case 1 << 3 | WireType.VARINT -> messages.pass(tag);
        case 2 << 3 | WireType.BYTES -> directory = InodeSection.number(messages);
        default -> above = messages.skip(tag, 2);
      }
    }
    messages.end();
    if (directory == 0) {
      throw messages.damaged("a snapshot has no directory");
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
