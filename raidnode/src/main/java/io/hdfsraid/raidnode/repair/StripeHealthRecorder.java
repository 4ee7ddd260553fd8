// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.StripeHealth.State;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.drfs.hdfs.InodePath;
import io.hdfsraid.drfs.parity.GroupId;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.catalog.DegradedStripe;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import io.hdfsraid.raidnode.journal.RaidEvents;
import java.time.Clock;
import java.util.Optional;

/** Records in the repair ledger what checks find out about stripes. Safe for concurrent use. */
public final class StripeHealthRecorder {
  private final Catalog catalog;
  private final RaidEvents events;
  private final Clock clock;

  public StripeHealthRecorder(Catalog catalog, RaidEvents events, Clock clock) {
    this.catalog = catalog;
    this.events = events;
    this.clock = clock;
  }

  /**
   * Records the health of a stripe. Afterwards the ledger holds the stripe if it has lost units and
   * something can be done about them.
   *
   * @param id the inode of the protected file, or the id of the group
   */
  public void record(long id, StripeHealth health) {
    StripeKey key = key(health.stripe());
    if (health.state() != State.HEALTHY) {
      events.found(health);
    }
    if (!health.needsRepair()) {
      if (catalog.repairs().find(key).filter(known -> !isUnsettled(known, health)).isPresent()) {
        catalog.repairs().remove(key);
      }
      return;
    }
    catalog
        .repairs()
        .change(
            key,
            known -> Optional.of(judged(known.orElseGet(() -> noticed(key, id, health)), health)));
  }

  /**
   * Whether nothing can be done for a stripe now, and the NameNode may yet drop the good replica of
   * a unit that was lost, because it also counts one that has not proven to be good.
   */
  static boolean isUnsettled(RepairState known, StripeHealth health) {
    return !health.needsRepair() && health.unproven().intersects(known.lost());
  }

  /** Returns the key of a stripe in the ledger. */
  public static StripeKey key(LocatedStripe stripe) {
    return new StripeKey(stripe.parityInode(), stripe.index());
  }

  private RepairState judged(RepairState known, StripeHealth health) {
    if (!(known instanceof RepairState.Idle idle)) {
      // The task that repairs the stripe has found its own losses. Others are judged after it.
      return known.judged(known.lost().plus(health.lost()), known.furtherLosses(), clock.instant());
    }
    RepairState.Idle judged = idle.judged(health.lost(), health.furtherLosses(), clock.instant());
    boolean unrecoverable = health.state() == State.UNRECOVERABLE;
    if (unrecoverable && known.status() != RepairStatus.UNRECOVERABLE) {
      // The repair is still tried: some of the units may be readable, perhaps not for long.
      return judged.foundUnrecoverable(health.message(), clock.instant());
    }
    return isNews(known, health) ? judged.wake() : judged;
  }

  /** Whether a stripe that is not being tried is to be tried again because of what was found. */
  private static boolean isNews(RepairState known, StripeHealth health) {
    return switch (known.status()) {
      case WAITING, RUNNING -> false;
      case UNRECOVERABLE ->
          health.state() != State.UNRECOVERABLE || !known.lost().equals(health.lost());
      case PARKED -> health.furtherLosses() <= 0 || !known.lost().equals(health.lost());
      case POSTPONED ->
          // Units that came back are no reason to try again.
          !known.lost().containsAll(health.lost())
              // Proof of a loss, or a read that failed, ends the wait for a node.
              || (known instanceof RepairState.Postponed postponed
                  && postponed.awaitsNodes()
                  && health.findings().stream().anyMatch(StripeHealthRecorder::endsTheWait));
    };
  }

  private static boolean endsTheWait(UnitFinding finding) {
    return finding.source() == DetectionSource.READ
        || (finding.fault().provesLoss() && finding.fault() != Fault.MISSING);
  }

  private RepairState noticed(StripeKey key, long inode, StripeHealth health) {
    return RepairState.Waiting.noticed(
        new DegradedStripe(
            key,
            inode,
            path(inode),
            health.stripe().codec().name(),
            health.lost(),
            health.furtherLosses(),
            health.findings().stream()
                .findFirst()
                .map(finding -> finding.source().name())
                .orElse(DetectionSource.NAMENODE.name()),
            clock.instant(),
            0,
            0));
  }

  private String path(long inode) {
    if (GroupId.isGroup(inode)) {
      return new GroupId(inode).toString();
    }
    return catalog.files().find(inode).map(file -> file.facts().path()).orElse(InodePath.of(inode));
  }
}
