// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.blockfixer.detect.DetectionSource;
import io.hdfsraid.blockfixer.detect.Fault;
import io.hdfsraid.blockfixer.detect.KnownFaults;
import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.detect.UnitFinding;
import io.hdfsraid.blockfixer.scrub.ScrubResult;
import io.hdfsraid.blockfixer.scrub.Scrubber;
import io.hdfsraid.drfs.block.LocatedBlock;
import io.hdfsraid.drfs.block.Replica;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.drfs.stripe.StripeUnit;
import io.hdfsraid.drfs.stripe.UnitState;
import io.hdfsraid.raidnode.catalog.ReplicaFault;
import io.hdfsraid.raidnode.catalog.RottenReplicas;
import io.hdfsraid.raidnode.catalog.StripeKey;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The bad replicas that reads have found. They are stored in the catalog, so they survive a
 * restart.
 */
public final class ScrubFaults implements KnownFaults {
  /**
   * The time after which a fault is dropped that no read has met again. Its DataNode is gone; if
   * the DataNode comes back, a scrub reads its replicas.
   */
  private static final Duration KEPT = Duration.ofDays(180);

  private final RottenReplicas rotten;
  private final Scrubber scrubber;
  private final Clock clock;

  /**
   * Creates the faults of a catalog.
   *
   * @param scrubber reads a bad replica again before it is repaired
   */
  public ScrubFaults(RottenReplicas rotten, Scrubber scrubber, Clock clock) {
    this.rotten = rotten;
    this.scrubber = scrubber;
    this.clock = clock;
  }

  @Override
  public List<UnitFinding> of(LocatedStripe stripe) {
    List<UnitFinding> findings = new ArrayList<>();
    for (ReplicaFault fault : rotten.of(key(stripe))) {
      replica(stripe, fault)
          .ifPresent(
              replica ->
                  findings.add(
                      new UnitFinding(
                          fault.unit(),
                          fault.block(),
                          Optional.of(replica),
                          Fault.ROTTEN,
                          DetectionSource.SCRUB,
                          fault.message())));
    }
    return findings;
  }

  /** Returns the replica of a fault if the NameNode still lists that replica as good. */
  private static Optional<Replica> replica(LocatedStripe stripe, ReplicaFault fault) {
    if (fault.unit() >= stripe.units().size()) {
      return Optional.empty();
    }
    StripeUnit unit = stripe.unit(fault.unit());
    return unit.located()
        .filter(located -> unit.state() == UnitState.LIVE)
        .filter(located -> located.block().equals(fault.block()))
        .map(LocatedBlock::live)
        .flatMap(
            live ->
                live.stream()
                    .filter(replica -> replica.node().uuid().equals(fault.node()))
                    .findFirst());
  }

  @Override
  public void confirm(LocatedStripe stripe) throws IOException {
    for (UnitFinding finding : of(stripe)) {
      Replica replica = finding.replica().orElseThrow();
      if (scrubber.read(stripe, finding.unit(), replica).isEmpty()) {
        rotten.update(
            key(stripe),
            known ->
                known.stream()
                    .filter(
                        fault ->
                            fault.unit() != finding.unit()
                                || !fault.node().equals(replica.node().uuid()))
                    .toList());
      }
    }
  }

  /** Replaces what is stored about the replicas that were read. */
  public void remember(ScrubResult reading) {
    Instant now = clock.instant();
    List<ReplicaFault> found =
        reading.proven().stream()
            .filter(finding -> finding.fault() == Fault.ROTTEN)
            .map(
                finding ->
                    new ReplicaFault(
                        finding.unit(),
                        finding.block(),
                        finding.replica().orElseThrow().node().uuid(),
                        now,
                        finding.message()))
            .toList();
    rotten.update(
        key(reading.stripe()),
        known -> {
          List<ReplicaFault> after = new ArrayList<>(found);
          for (ReplicaFault fault : known) {
            boolean readNow =
                reading.judged(fault.unit()).stream()
                    .anyMatch(node -> node.uuid().equals(fault.node()));
            if (!readNow && fault.since().plus(KEPT).isAfter(now)) {
              after.add(fault);
            }
          }
          return List.copyOf(after);
        });
  }

  /** Stores the bad replicas that a repair has read in a stripe that it could not repair. */
  public void remember(StripeHealth health) {
    Instant now = clock.instant();
    List<ReplicaFault> found =
        health.findings().stream()
            .filter(
                finding ->
                    finding.fault() == Fault.ROTTEN && finding.source() == DetectionSource.READ)
            .flatMap(
                finding ->
                    finding.replica().stream()
                        .map(
                            replica ->
                                new ReplicaFault(
                                    finding.unit(),
                                    finding.block(),
                                    replica.node().uuid(),
                                    now,
                                    finding.message())))
            .toList();
    rotten.update(
        key(health.stripe()),
        known -> {
          List<ReplicaFault> after = new ArrayList<>(found);
          known.stream()
              .filter(
                  fault ->
                      found.stream()
                          .noneMatch(
                              met -> met.unit() == fault.unit() && met.node().equals(fault.node())))
              .forEach(after::add);
          return List.copyOf(after);
        });
  }

  /** Removes the faults of a parity file that no longer exists. */
  void forget(long parityInode) {
    rotten.forget(parityInode);
  }

  private static StripeKey key(LocatedStripe stripe) {
    return new StripeKey(stripe.parityInode(), stripe.index());
  }
}
