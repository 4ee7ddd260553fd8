package io.hdfsraid.raidnode.recency;

import io.hdfsraid.raidnode.catalog.Notes;
import io.hdfsraid.raidnode.namespace.FileAttributes;
import io.hdfsraid.raidnode.namespace.Image;
import io.hdfsraid.raidnode.namespace.Inode;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/**
 * Finds out since when HDFS has recorded access times: an access time that is later than the last
 * change of its file was set by a read, so by then somebody recorded reads. For one thread.
 */
final class EarliestAccess {
  private long earliest = Long.MAX_VALUE;

  void look(FileAttributes file) {
    if (file.accessed() > file.modified()) {
      earliest = Math.min(earliest, file.accessed());
    }
  }

  /** A read was recorded at this time. */
  void look(long at) {
    earliest = Math.min(earliest, at);
  }

  /** An image of which all files of users are looked at as they are told; parity is left out. */
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

  /** Reads are known since then, if no earlier one was noted before. */
  void note(Notes notes) {
    if (earliest == Long.MAX_VALUE) {
      return;
    }
    Instant start = Instant.ofEpochMilli(earliest);
    if (notes.instant(Notes.TRACKING_START).map(start::isBefore).orElse(true)) {
      notes.instant(Notes.TRACKING_START, start);
    }
  }
}
