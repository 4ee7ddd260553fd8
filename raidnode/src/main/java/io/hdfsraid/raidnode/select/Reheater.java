// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.Parity;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.raiding.core.FileInWorkException;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Unraids files for policies, and counts the cost of those that are used again. */
public final class Reheater {
  private static final Logger LOG = LoggerFactory.getLogger(Reheater.class);

  private final Catalog catalog;
  private final ReconcileJob reconciler;
  private final Journal journal;
  private final RaidEvents events;
  private final Clock clock;

  public Reheater(
      Catalog catalog, ReconcileJob reconciler, Journal journal, RaidEvents events, Clock clock) {
    this.catalog = catalog;
    this.reconciler = reconciler;
    this.journal = journal;
    this.events = events;
    this.clock = clock;
  }

  /**
   * Unraids a file because it is used again, and stores the cost.
   *
   * @return whether the file is unraided; if not, a later run tries again
   */
  boolean reheat(FileRecord file, String why) {
    Instant now = clock.instant();
    // Stored first, so that no policy raids the file again if the process ends in between.
    catalog.reheats().put(file.inode(), now);
    if (!unraid(file, "reheat")) {
      return false;
    }
    long copied = copied(file);
    LOG.atInfo()
        .addKeyValue("path", file.facts().path())
        .addKeyValue("policy", file.progress().by())
        .addKeyValue("why", why)
        .addKeyValue("bytes", copied)
        .log("A file that is read again gets its replicas back");
    journal.note(
        "reheated",
        Optional.of(file.inode()),
        file.facts().path(),
        true,
        file.progress().by(),
        why + " %d bytes are replicated again.".formatted(copied),
        copied,
        copied);
    catalog.reheatCosts().add(cost -> cost.plusReheated(copied));
    events.reheated(file, copied);
    return true;
  }

  private static long copied(FileRecord file) {
    Parity parity = file.parity().orElseThrow();
    return file.facts().length()
        * Math.max(0, parity.originalReplication() - parity.targetReplication());
  }

  /**
   * Unraids a file.
   *
   * @param by the policy that wants this, or {@code reheat}
   * @return whether the file is unraided; if not, a later run tries again
   */
  boolean unraid(FileRecord file, String by) {
    try {
      reconciler.unraid(List.of(file.inode()), by);
      return true;
    } catch (FileInWorkException e) {
      return false;
    } catch (IOException | RuntimeException e) {
      // The reconciler has written the failure to the journal.
      LOG.debug("{} is not unraided now", file.facts().path(), e);
      return false;
    }
  }
}
