// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.raiding.core;

import java.io.IOException;

/**
 * Marks, on the cluster itself, files that operators have unraided by hand. The catalog knows them,
 * too, but it is only a notebook: a daemon with a new one must not raid these files again.
 */
public interface FileMarks {
  /** For clusters whose catalog is never lost. */
  FileMarks NONE =
      new FileMarks() {
        @Override
        public void mark(long inode) {}

        @Override
        public void clear(long inode) {}

        @Override
        public boolean isMarked(long inode) {
          return false;
        }
      };

  /** Marks a file; a file that is gone is left out. */
  void mark(long inode) throws IOException;

  /** Removes the mark of a file, if there is one. */
  void clear(long inode) throws IOException;

  boolean isMarked(long inode) throws IOException;
}
