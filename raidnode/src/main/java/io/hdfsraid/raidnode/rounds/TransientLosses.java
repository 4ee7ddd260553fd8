package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.Finding;
import io.hdfsraid.blockfixer.detect.Source;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.drfs.namespace.FileState;
import io.hdfsraid.drfs.namespace.Namespace;
import io.hdfsraid.drfs.namespace.SilentNode;
import io.hdfsraid.drfs.parity.ParityFile;
import io.hdfsraid.drfs.parity.ParityStore;
import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.raidnode.catalog.RepairLedger;
import io.hdfsraid.raidnode.catalog.RepairRecord;
import io.hdfsraid.raidnode.catalog.RepairStatus;
import io.hdfsraid.raidnode.catalog.StripeKey;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which losses may mend themselves: most nodes that fall silent come back with all they have, and
 * what is rebuilt of them until then is wasted. Such losses wait for a while, unless the stripe is
 * at risk or somebody wants to read it. Safe for concurrent use.
 */
final class TransientLosses {
  /** Why one waits, in the ledger. */
  static final String WHY = "Its nodes do not answer and may come back";

  /** So many are asked for at once whether they were opened; the next look goes on from there. */
  private static final int AT_ONCE = 1_000;

  private final RepairLedger ledger;
  private final ParityStore parity;
  private final Namespace namespace;
  private final Duration delay;
  private final Clock clock;

  /** Where the last look for opened files ended; empty for the beginning. Guarded by this. */
  private Optional<StripeKey> lookedFor = Optional.empty();

  /**
   * @param delay how long one waits
   */
  TransientLosses(
      RepairLedger ledger, ParityStore parity, Namespace namespace, Duration delay, Clock clock) {
    this.ledger = ledger;
    this.parity = parity;
    this.namespace = namespace;
    this.delay = delay;
    this.clock = clock;
  }

  /**
   * Until when a loss waits that may be transient; empty when it does not: the stripe is at risk, a
   * unit is proven to be lost, a read has failed for it, or it has waited long enough. That its
   * node does not answer proves nothing; that the NameNode knows no replica proves nothing either
   * while a node it has given up may just be starting again.
   */
  Optional<Instant> mayReturnUntil(RepairRecord record, StripeHealth health, ParityFile file)
      throws IOException {
    Instant now = clock.instant();
    Instant end = record.since().plus(delay);
    if (health.furtherLosses() <= RepairRound.AT_RISK
        || !end.isAfter(now)
        || readFailed(record, health)) {
      return Optional.empty();
    }
    UnitSet missing = health.lost().minus(health.unreachable());
    Instant silentSince = record.since();
    if (!missing.isEmpty()) {
      List<Instant> lately =
          namespace.silentNodes().stream()
              .map(SilentNode::lastHeard)
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

  private static boolean readFailed(RepairRecord record, StripeHealth health) {
    return record.detectedBy().equals(Source.READ.name())
        || health.findings().stream().anyMatch(finding -> finding.source() == Source.READ);
  }

  /** The NameNode knows of no replica of these, good or bad. */
  private static boolean onlyMissing(UnitSet units, StripeHealth health) {
    UnitSet missing =
        UnitSet.of(
            health.findings().stream()
                .filter(finding -> finding.fault() == Fault.MISSING)
                .mapToInt(Finding::unit));
    return missing.containsAll(units);
  }

  /**
   * Whether somebody opened a file of the stripe since, whose read has failed then, or will. HDFS
   * records the first opening in an hour, and what is raided is opened rarely.
   */
  private boolean wasOpened(RepairRecord record, ParityFile file, Instant since)
      throws IOException {
    for (long member :
        file.manifest().membersOf(file.manifest().stripes().get(record.stripe().index()))) {
      Optional<FileState> state = namespace.file(member);
      if (state.filter(now -> now.accessed().isAfter(since)).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /**
   * What waits for the return of its nodes waits no longer when somebody has opened a file of it
   * since: that read has failed, or will.
   *
   * @return how many wait for a worker instead
   */
  synchronized int wakeOpened() throws IOException {
    List<RepairRecord> waiting = new ArrayList<>();
    Optional<StripeKey> after = lookedFor;
    boolean ended = false;
    while (!ended && waiting.size() < AT_ONCE) {
      List<RepairRecord> page = ledger.list(after, AT_ONCE);
      ended = page.isEmpty();
      for (RepairRecord record : page) {
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
    for (RepairRecord record : waiting) {
      if (wasOpened(record)) {
        ledger.update(
            record.stripe(),
            now ->
                isWaiting(now)
                    ? now.to(RepairStatus.WAITING, now.reason(), Optional.empty())
                    : now);
        woken++;
      }
    }
    return woken;
  }

  private static boolean isWaiting(RepairRecord record) {
    return record.status() == RepairStatus.POSTPONED && record.reason().equals(WHY);
  }

  /** Whoever opened it before it was known to have lost units has been heard of already. */
  private boolean wasOpened(RepairRecord record) throws IOException {
    Optional<ParityFile> file =
        parity
            .find(record.inode())
            .filter(found -> found.file().inode() == record.stripe().parityInode());
    return file.isPresent() && wasOpened(record, file.get(), record.since());
  }
}
