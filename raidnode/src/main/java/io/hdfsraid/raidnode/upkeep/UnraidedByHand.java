// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.raiding.core.FileMarks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Remembers which files operators have unraided by hand, so that no policy raids them again: in the
 * catalog, and at the file, for a daemon with a new catalog.
 */
public final class UnraidedByHand {
  private static final Logger LOG = LoggerFactory.getLogger(UnraidedByHand.class);

  private final KnownFiles files;
  private final FileMarks marks;

  public UnraidedByHand(KnownFiles files, FileMarks marks) {
    this.files = files;
    this.marks = marks;
  }

  /** Remembers a file. If HDFS cannot, as with a full quota, the catalog still does. */
  public void remember(long inode) {
    files.update(inode, FileRecord::unraidedByOperator);
    try {
      marks.mark(inode);
    } catch (IOException e) {
      LOG.atWarn()
          .addKeyValue("inode", inode)
          .setCause(e)
          .log(
              "Only the catalog knows that an operator unraided this file: a daemon with a new"
                  + " catalog may raid it again");
    }
  }

  /** Removes all marks from the cluster, when the daemon leaves it for good. */
  public void removeMarks() throws IOException {
    for (long inode : remembered()) {
      marks.clear(inode);
    }
  }

  /**
   * Forgets the files that are not marked any more: a daemon with another catalog has worked since
   * this one was used, and an operator may have had them raided again.
   */
  public void believeTheFiles() throws IOException {
    for (long inode : remembered()) {
      if (!marks.isMarked(inode)) {
        files.update(inode, FileRecord::raidedByOperator);
      }
    }
  }

  private List<Long> remembered() {
    List<Long> remembered = new ArrayList<>();
    files.all(
        -1,
        file -> {
          if (file.facts().is(Trait.UNRAIDED_BY_OPERATOR)) {
            remembered.add(file.inode());
          }
          return true;
        });
    return remembered;
  }

  /** Forgets a file: an operator wants it raided. */
  public void forget(long inode) throws IOException {
    marks.clear(inode);
    files.update(inode, FileRecord::raidedByOperator);
  }
}
