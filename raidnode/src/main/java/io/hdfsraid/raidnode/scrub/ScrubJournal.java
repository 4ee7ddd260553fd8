// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.drfs.hdfs.InodePath;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.raidnode.catalog.KnownFiles;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.journal.Journal;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what the scrubs of one depth find to the history and to the log. */
public final class ScrubJournal {
  private static final Logger LOG = LoggerFactory.getLogger(ScrubJournal.class);
  private static final String ACTION = "scrub";

  private final ScrubDepth depth;
  private final KnownFiles files;
  private final Journal journal;

  public ScrubJournal(ScrubDepth depth, KnownFiles files, Journal journal) {
    this.depth = depth;
    this.files = files;
    this.journal = journal;
  }

  /** Writes the report of a scheduled scrub if it found anything bad. */
  void tellLosses(long id, ScrubReport report) {
    if (report.badReplicas() > 0) {
      tell(id, report, ACTION);
    }
  }

  /**
   * Writes a report.
   *
   * @param inode the inode id of the file, or the id of the group
   * @param by the job or the operator that wanted the scrub
   */
  void tell(long inode, ScrubReport report, String by) {
    String path = path(inode);
    journal.note(
        "scrubbed",
        Optional.of(inode),
        path,
        report.isClean(),
        by,
        report.sentence(),
        report.bytes(),
        0);
    if (report.badReplicas() > 0) {
      LOG.atWarn()
          .addKeyValue("path", path)
          .addKeyValue("depth", depth.tag())
          .addKeyValue("bad", report.badReplicas())
          .log(report.sentence());
    }
  }

  /** Logs that a scrub failed which is tried again in its turn. */
  void postponed(long parity, Exception e) {
    LOG.atLevel(journal.levelOf(e))
        .addKeyValue("parity", parity)
        .addKeyValue("depth", depth.tag())
        .setCause(e)
        .log("scrub failed; it will be tried again");
  }

  /** Writes that a requested scrub failed. */
  void failed(long inode, Exception e, String by) {
    journal.failed(ACTION, inode, e, by);
  }

  private String path(long inode) {
    return files
        .find(inode)
        .map(file -> file.facts().path())
        .orElseGet(
            () -> GroupId.isGroup(inode) ? new GroupId(inode).toString() : InodePath.of(inode));
  }
}
