// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.raiding.file.Quarantine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the quarantine of parity and records it. Parity goes back into service when its file needs
 * it or an operator asks for it. Otherwise it is purged.
 */
public final class QuarantineJob {
  private static final Logger LOG = LoggerFactory.getLogger(QuarantineJob.class);
  private static final String INTEGRITY_CHECK = "integrity check";

  private final Quarantine quarantine;
  private final ReconcileJob reconciler;
  private final Catalog catalog;
  private final Journal journal;

  public QuarantineJob(
      Quarantine quarantine, ReconcileJob reconciler, Catalog catalog, Journal journal) {
    this.quarantine = quarantine;
    this.reconciler = reconciler;
    this.catalog = catalog;
    this.journal = journal;
  }

  /** What is in quarantine, to look at. */
  public Quarantine quarantine() {
    return quarantine;
  }

  /**
   * Puts parity back into service if its file needs it. A block with one replica or none may soon
   * be recoverable from parity only.
   *
   * @return the ids of the parity that is back, to be checked
   */
  public List<Long> reviveNeeded() throws IOException {
    List<Long> revived = new ArrayList<>();
    quarantine.forEach(
        kept -> {
          try {
            long id = quarantine.idOf(kept);
            Optional<String> danger = quarantine.reviveWhenNeeded(kept);
            danger.ifPresent(
                why -> {
                  revived(id, why);
                  revived.add(id);
                });
          } catch (IOException e) {
            // The next run tries again; the others are checked now.
            LOG.atWarn()
                .addKeyValue("path", kept.file().path())
                .setCause(e)
                .log("Quarantined parity could not be checked; the next run tries again");
          }
        });
    return revived;
  }

  /** The same for the parity with one id. */
  public boolean reviveNeeded(long id) throws IOException {
    Optional<String> danger;
    try {
      danger = quarantine.reviveWhenNeeded(id);
    } catch (FileInWorkException e) {
      return false; // the task that works on it handles it; the next run checks again
    }
    danger.ifPresent(why -> revived(id, why));
    return danger.isPresent();
  }

  private void revived(long id, String danger) {
    note("parity-restored", id, true, INTEGRITY_CHECK, "Parity back from quarantine: " + danger);
    try {
      reconciler.reconcile(id, INTEGRITY_CHECK);
    } catch (IOException e) {
      LOG.debug("Parity {} could not be reconciled; a later run tries again", id, e);
    }
  }

  /**
   * Puts parity back into service for an operator, as if it had just been committed.
   *
   * @return why not; empty when it was
   */
  public Optional<String> restore(ParityFile kept, String by) throws IOException {
    long id = quarantine.idOf(kept);
    Optional<String> refused;
    try {
      refused = quarantine.restore(kept);
    } catch (FileInWorkException e) {
      note("parity-restored", id, false, by, "Not restored: " + e.getMessage());
      throw e;
    }
    note(
        "parity-restored",
        id,
        refused.isEmpty(),
        by,
        refused.map(why -> "Not restored: " + why).orElse("Parity back from quarantine"));
    if (refused.isEmpty()) {
      reconciler.reconcile(id, by);
    }
    return refused;
  }

  /**
   * Deletes parity for good unless something needs it. The result goes to the history.
   *
   * @return why it was not deleted; empty if it is gone
   */
  public Optional<String> purge(ParityFile kept, String by) throws IOException {
    long id = quarantine.idOf(kept);
    Optional<String> needed = purgeUnlessNeeded(kept, by);
    needed.ifPresent(why -> note("parity-purged", id, false, by, "Kept: " + why));
    return needed;
  }

  /** Works as {@link #purge}, but records only successes, because callers try again and again. */
  Optional<String> purgeUnlessNeeded(ParityFile kept, String by) throws IOException {
    long id = quarantine.idOf(kept);
    Optional<String> needed = quarantine.purge(kept);
    if (needed.isEmpty()) {
      note("parity-purged", id, true, by, "Quarantined parity deleted");
    }
    return needed;
  }

  private void note(String event, long id, boolean succeeded, String by, String detail) {
    Optional<Long> inode = GroupId.isGroup(id) ? Optional.empty() : Optional.of(id);
    String path =
        inode
            .map(file -> catalog.files().find(file).map(known -> known.facts().path()))
            .map(known -> known.orElse("inode " + id))
            .orElseGet(() -> new GroupId(id).toString());
    journal.note(event, inode, path, succeeded, by, detail, 0, 0);
    LOG.atInfo()
        .addKeyValue("parity", id)
        .addKeyValue("path", path)
        .addKeyValue("by", by)
        .log(detail);
  }
}
