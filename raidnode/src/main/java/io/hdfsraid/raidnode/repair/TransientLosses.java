// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.repair;

import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.drfs.namespace.LocatedFile;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.UnresponsiveNode;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.RepairLedger;
import io.hdfsraid.raidnode.catalog.RepairState;
import io.hdfsraid.raidnode.catalog.RepairState.Postponed;
import io.hdfsraid.raidnode.catalog.StripeKey;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides which repairs wait because the loss may be transient. Most nodes that stop answering come
 * back with all their replicas, and rebuilding these meanwhile is wasted work. A repair does not
 * wait if the stripe is at risk or a reader needs it. Safe for concurrent use.
 */
public final class TransientLosses {
  /** The number of repairs whose files are checked in one run; the next run continues there. */
  private static final int AT_ONCE = 1_000;

  private final RepairLedger ledger;
  private final ParityStore parity;
  private final Namespace namespace;
  private final Duration delay;
  private final Clock clock;

  /** The last stripe whose files were checked; empty for the beginning. Guarded by this. */
  private Optional<StripeKey> lookedFor = Optional.empty();

  /**
   * @param delay how long a repair waits
   */
  public TransientLosses(
      RepairLedger ledger, ParityStore parity, Namespace namespace, Duration delay, Clock clock) {
    this.ledger = ledger;
    this.parity = parity;
    this.namespace = namespace;
    this.delay = delay;
    this.clock = clock;
  }

  /**
   * Returns until when a repair waits because the loss may be transient. Empty if it does not wait:
   * the stripe is at risk, a unit is proven to be lost, a read has failed because of it, it has
   * waited long enough, or the clock was set back meanwhile. A node that does not answer proves no
   * loss. A block without a replica proves no loss either, while a node that the NameNode has
   * declared dead may be restarting.
   */
  Optional<Instant> mayReturnUntil(RepairState record, StripeHealth health, ParityFile file)
      throws IOException {
    Instant now = clock.instant();
    Instant end = record.since().plus(delay);
    if (health.furtherLosses() <= RepairOrder.AT_RISK
        || !end.isAfter(now)
        || isFromClockAhead(record, now)
        || readFailed(record, health)) {
      return Optional.empty();
    }
    UnitSet missing = health.lost().minus(health.unreachable());
    Instant silentSince = record.since();
    if (!missing.isEmpty()) {
      List<Instant> lately =
          namespace.deadNodes().stream()
              .map(UnresponsiveNode::lastHeard)
              .filter(heard -> heard.plus(delay).isAfter(now))
              .sorted()
              .toList();
      if (lately.isEmpty() || !onlyMissing(missing, health)) {
        return Optional.empty();
      }
      silentSince = lately.get(0).isBefore(silentSince) ? lately.get(0) : silentSince;
      Instant given = lately.get(lately.size() - 1).plus(delay);
      end = given.isBefore(end) ? given : end;
    }
    return wasOpened(record, file, silentSince) ? Optional.empty() : Optional.of(end);
  }

  /**
   * Whether the loss was noticed by a clock that was set back since. The delay counted from then
   * may end in a year, and how long the repair has waited is not known.
   */
  private boolean isFromClockAhead(RepairState record, Instant now) {
    return record.since().isAfter(now.plus(delay));
  }

  private static boolean readFailed(RepairState record, StripeHealth health) {
    return record.detectedBy().equals(DetectionSource.READ.name())
        || health.findings().stream().anyMatch(finding -> finding.source() == DetectionSource.READ);
  }

  /** Whether the NameNode knows no replica of these units, good or bad. */
  private static boolean onlyMissing(UnitSet units, StripeHealth health) {
    UnitSet missing =
        UnitSet.of(
            health.findings().stream()
                .filter(finding -> finding.fault() == Fault.MISSING)
                .mapToInt(UnitFinding::unit));
    return missing.containsAll(units);
  }

  /**
   * Whether a file of the stripe has been opened since the given time, so that a read has failed or
   * will fail. HDFS records the first open in each hour, and raided files are opened rarely.
   */
  private boolean wasOpened(RepairState record, ParityFile file, Instant since) throws IOException {
    for (long member :
        file.manifest().membersOf(file.manifest().stripes().get(record.stripe().index()))) {
      Optional<LocatedFile> state = namespace.file(member);
      if (state.filter(now -> now.accessed().isAfter(since)).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Wakes repairs that wait for the return of nodes if a file of the stripe has been opened since:
   * that read has failed or will fail.
   *
   * @return how many repairs were woken
   */
  synchronized int wakeOpened() throws IOException {
    List<RepairState> waiting = new ArrayList<>();
    Optional<StripeKey> after = lookedFor;
    boolean ended = false;
    while (!ended && waiting.size() < AT_ONCE) {
      List<RepairState> page = ledger.list(after, AT_ONCE);
      ended = page.isEmpty();
      for (RepairState record : page) {
        if (waiting.size() < AT_ONCE) {
          after = Optional.of(record.stripe());
          if (isWaiting(record)) {
            waiting.add(record);
          }
        }
      }
    }
    lookedFor = ended ? Optional.empty() : after;
    int woken = 0;
    for (RepairState record : waiting) {
      if (wasOpened(record)) {
        ledger.update(
            record.stripe(),
            now ->
                now instanceof Postponed postponed && postponed.awaitsNodes()
                    ? postponed.wake()
                    : now);
        woken++;
      }
    }
    return woken;
  }

  private static boolean isWaiting(RepairState record) {
    return record instanceof Postponed postponed && postponed.awaitsNodes();
  }

  /** Whether a file of the stripe has been opened since the loss was noticed. */
  private boolean wasOpened(RepairState record) throws IOException {
    Optional<ParityFile> file =
        parity
            .find(record.inode())
            .filter(found -> found.file().inode() == record.stripe().parityInode());
    return file.isPresent() && wasOpened(record, file.get(), record.since());
  }
}
