// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency;

import io.hdfsraid.recency.namespace.FileAttributes;
import io.hdfsraid.recency.namespace.Image;
import io.hdfsraid.recency.namespace.Inode;
import io.hdfsraid.recency.source.Timestamps;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/**
 * Finds the time since which HDFS has recorded access times. An access time later than the last
 * change of its file was set by a read, so access times were recorded then. For one thread.
 */
final class EarliestRecordedAccess {
  private long earliest = Long.MAX_VALUE;

  void look(FileAttributes file) {
    if (file.accessed() > file.modified()) {
      earliest = Math.min(earliest, file.accessed());
    }
  }

  /** Notes a read that was recorded at the given time. */
  void look(long at) {
    earliest = Math.min(earliest, at);
  }

  /**
   * Wraps an image so that the access times of all files are noted, except those of parity files.
   */
  Image over(Image image) {
    return new Image() {
      @Override
      public long transaction() {
        return image.transaction();
      }

      @Override
      public long inodes() {
        return image.inodes();
      }

      @Override
      public void read(Visitor visitor) throws IOException {
        image.read(new DataOnly(visitor));
      }
    };
  }

  private final class DataOnly implements Image.Visitor {
    private final Image.Visitor visitor;

    private DataOnly(Image.Visitor visitor) {
      this.visitor = visitor;
    }

    @Override
    public void inode(Inode inode) {
      if (inode instanceof Inode.File file) {
        look(file.attributes());
      }
      visitor.inode(inode);
    }

    @Override
    public void inode(Inode.File file, Map<String, byte[]> marks) {
      if (marks.keySet().stream().noneMatch(name -> name.startsWith(Image.MARK_OF_PARITY))) {
        inode(file);
      }
    }

    @Override
    public void place(long child, long parent) {
      visitor.place(child, parent);
    }
  }

  /** Stores the earliest time, unless an earlier one is stored already. */
  void note(Timestamps timestamps) {
    if (earliest == Long.MAX_VALUE) {
      return;
    }
    Instant start = Instant.ofEpochMilli(earliest);
    if (timestamps.instant(Timestamps.TRACKING_START).map(start::isBefore).orElse(true)) {
      timestamps.instant(Timestamps.TRACKING_START, start);
    }
  }
}
