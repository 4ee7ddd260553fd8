// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.erasurecode.UnitSet;
import io.hdfsraid.policies.FileFacts;
import io.hdfsraid.policies.FileFacts.Trait;
import io.hdfsraid.policies.Reason;
import io.hdfsraid.raidapi.FileState;
import java.time.Instant;
import java.util.Optional;

/** Records to put into a catalog. */
public final class Samples {
  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private Samples() {}

  static FileFacts facts(long inode, Instant lastUsed) {
    return FileFacts.of("/data/" + inode, inode, 10_000_000, 4_000_000, 3, lastUsed);
  }

  static FileRecord candidate(long inode, Instant lastUsed) {
    return record(inode, lastUsed, FileProgress.of(FileState.CANDIDATE, "warehouse", NOW));
  }

  static FileRecord record(long inode, Instant lastUsed, FileProgress progress) {
    return new FileRecord(facts(inode, lastUsed), progress, Optional.empty(), NOW);
  }

  static FileRecord everyFieldSet() {
    FileFacts facts =
        FileFacts.of("/a/bé", 16_387, 300, 128, 3, Instant.ofEpochMilli(1_000))
            .withAccess(Instant.ofEpochMilli(2_000))
            .withOwner("ann", "users")
            .with(Trait.ENCRYPTED)
            .withParity(1)
            .inSnapshot(2);
    return new FileRecord(
        facts,
        new FileProgress(
            FileState.REDUCED,
            Optional.of(Reason.READ_ONLY),
            "d1 is down",
            "warehouse",
            Instant.ofEpochMilli(3_000),
            Optional.of(Instant.ofEpochMilli(4_000))),
        Optional.of(new Parity("rs-10-4", 3, 1, 1, 2, 512)),
        Instant.ofEpochMilli(5_000));
  }

  static RepairState repair(long parityInode, int stripe) {
    return inState(
        RepairStatus.POSTPONED,
        new DegradedStripe(
            new StripeKey(parityInode, stripe),
            16_387,
            "/a/b",
            "rs-6-3",
            UnitSet.of(0, 8),
            1,
            "NAMENODE",
            Instant.ofEpochMilli(1_000),
            2,
            700),
        "NODES_FAILED",
        Instant.ofEpochMilli(2_000));
  }

  public static RepairState inState(
      RepairStatus status, DegradedStripe damage, String reason, Instant wakeAt) {
    return switch (status) {
      case WAITING -> new RepairState.Waiting(damage, reason);
      case RUNNING -> new RepairState.Running(damage, reason);
      case POSTPONED -> new RepairState.Postponed(damage, reason, wakeAt);
      case PARKED -> new RepairState.Parked(damage, reason);
      case UNRECOVERABLE -> new RepairState.Unrecoverable(damage, reason, wakeAt);
    };
  }

  static HistoryRecord outcome(Instant at, String path) {
    return new HistoryRecord(
        at, "raided", Optional.of(7L), path, true, "warehouse", "3 stripes", 10, 4);
  }
}
