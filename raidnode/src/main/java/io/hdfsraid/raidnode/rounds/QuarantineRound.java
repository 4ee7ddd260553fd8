package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.raid.FileInWorkException;
import io.hdfsraid.raidnode.raid.Quarantine;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets parity out of quarantine, one way or the other, and writes it down: back into service when
 * its file needs it or an operator wants it, or away for good.
 */
public final class QuarantineRound {
  private static final Logger LOG = LoggerFactory.getLogger(QuarantineRound.class);
  private static final String INTEGRITY_CHECK = "integrity check";

  private final Quarantine quarantine;
  private final AttendRound attending;
  private final Catalog catalog;
  private final Journal journal;

  public QuarantineRound(
      Quarantine quarantine, AttendRound attending, Catalog catalog, Journal journal) {
    this.quarantine = quarantine;
    this.attending = attending;
    this.catalog = catalog;
    this.journal = journal;
  }

  /** What is in quarantine, to look at. */
  public Quarantine quarantine() {
    return quarantine;
  }

  /**
   * Puts back into service what the files need: a block down to its last replica, or to none, may
   * soon be rebuilt from parity only.
   *
   * @return how many parity files
   */
  public int reviveNeeded() throws IOException {
    int[] revived = {0};
    quarantine.forEach(
        kept -> {
          try {
            Optional<String> danger = quarantine.reviveWhenNeeded(kept);
            danger.ifPresent(why -> revived(Quarantine.inodeOf(kept), why));
            revived[0] += danger.isPresent() ? 1 : 0;
          } catch (IOException e) {
            // The next round looks again; the others are looked at now.
            LOG.atWarn()
                .addKeyValue("path", kept.file().path())
                .setCause(e)
                .log("could not be looked at in quarantine");
          }
        });
    return revived[0];
  }

  /** The same for one file. */
  public boolean reviveNeeded(long inode) throws IOException {
    Optional<String> danger;
    try {
      danger = quarantine.reviveWhenNeeded(inode);
    } catch (FileInWorkException e) {
      return false; // whoever works on it sees to it; the next round looks again
    }
    danger.ifPresent(why -> revived(inode, why));
    return danger.isPresent();
  }

  private void revived(long inode, String danger) {
    note("parity-restored", inode, true, INTEGRITY_CHECK, "Parity back from quarantine: " + danger);
    try {
      attending.attend(inode, INTEGRITY_CHECK);
    } catch (IOException e) {
      LOG.debug("Inode {} is attended to later", inode, e);
    }
  }

  /**
   * Puts parity back into service for an operator, as if it had just been committed.
   *
   * @return why not; empty when it was
   */
  public Optional<String> restore(ParityFile kept, String by) throws IOException {
    long inode = Quarantine.inodeOf(kept);
    Optional<String> refused = quarantine.restore(kept);
    note(
        "parity-restored",
        inode,
        refused.isEmpty(),
        by,
        refused.map(why -> "Not restored: " + why).orElse("Parity back from quarantine"));
    if (refused.isEmpty()) {
      attending.attend(inode, by);
    }
    return refused;
  }

  /**
   * Deletes parity for good, unless something needs it; what came of it stands in the history.
   *
   * @return why not; empty when it is gone
   */
  public Optional<String> purge(ParityFile kept, String by) throws IOException {
    Optional<String> needed = purgeUnlessNeeded(kept, by);
    needed.ifPresent(
        why -> note("parity-purged", Quarantine.inodeOf(kept), false, by, "Kept: " + why));
    return needed;
  }

  /** As {@link #purge}, for who asks again and again: only what is gone stands in the history. */
  Optional<String> purgeUnlessNeeded(ParityFile kept, String by) throws IOException {
    Optional<String> needed = quarantine.purge(kept);
    if (needed.isEmpty()) {
      note("parity-purged", Quarantine.inodeOf(kept), true, by, "Quarantined parity deleted");
    }
    return needed;
  }

  private void note(String event, long inode, boolean succeeded, String by, String detail) {
    String path =
        catalog.files().find(inode).map(file -> file.facts().path()).orElse("inode " + inode);
    journal.note(event, Optional.of(inode), path, succeeded, by, detail, 0, 0);
    LOG.atInfo()
        .addKeyValue("inode", inode)
        .addKeyValue("path", path)
        .addKeyValue("by", by)
        .log(detail);
  }
}
