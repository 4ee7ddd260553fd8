// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.List;
import java.util.Optional;

/** The outcome of a repair. */
public sealed interface RepairOutcome {
  LocatedStripe stripe();

  /** Returns the outcome as one sentence for users. */
  String message();

  /**
   * The NameNode shows every rebuilt block whole at its new place.
   *
   * @param delivered the target of each unit
   * @param unproven the units of which the NameNode also counts a replica that seemed bad and whose
   *     node did not answer when it was asked again
   * @param application the application of YARN whose container rebuilt them; empty if this process
   *     did
   * @param bytesRead bytes read from helpers, including those of failed attempts
   */
  record Repaired(
      LocatedStripe stripe,
      List<PlannedDelivery> delivered,
      UnitSet unproven,
      Optional<String> application,
      long bytesRead)
      implements RepairOutcome {
    public Repaired {
      delivered = List.copyOf(delivered);
    }

    /** Returns how many units were rebuilt. */
    public int losses() {
      return delivered.size();
    }

    public UnitSet units() {
      return UnitSet.of(delivered.stream().mapToInt(PlannedDelivery::unit));
    }

    public long bytesWritten() {
      return delivered.stream().mapToLong(delivery -> delivery.block().length()).sum();
    }

    /** Whether some unit is in a crowded place, from which the audit will move it. */
    public boolean crowded() {
      return delivered.stream().anyMatch(PlannedDelivery::crowded);
    }

    @Override
    public String message() {
      return "Units %s of %s are whole again%s; %d bytes were read"
          .formatted(
              units(), stripe, application.map(its -> ", rebuilt in " + its).orElse(""), bytesRead);
    }
  }

  /**
   * The recorded parity does not belong to the recorded data: what it decodes to is not what was
   * recorded, although every unit holds what was recorded. Data units that other units determine
   * were rebuilt.
   *
   * @param repaired what was rebuilt; may be nothing
   * @param parity the units that must be wrong
   */
  record WrongParity(Repaired repaired, UnitSet parity) implements RepairOutcome {
    @Override
    public LocatedStripe stripe() {
      return repaired.stripe();
    }

    @Override
    public String message() {
      return "Parity units %s of %s do not belong to its data: they were wrong when they were encoded. Units %s were rebuilt without them; %d bytes were read"
          .formatted(parity, stripe(), repaired.units(), repaired.bytesRead());
    }
  }

  /**
   * The repair is postponed; the stripe is evaluated and planned again later. Nothing wrong was
   * left behind.
   */
  record Postponed(LocatedStripe stripe, Reason reason, String message, long bytesRead)
      implements RepairOutcome {}

  /**
   * The remaining units do not determine the lost ones. The message has the numbers.
   *
   * @param health the health that the attempts have revealed: worse than it was evaluated before
   */
  record Unrecoverable(StripeHealth health, String message) implements RepairOutcome {
    @Override
    public LocatedStripe stripe() {
      return health.stripe();
    }
  }

  /** Why a repair was postponed. */
  enum Reason {
    /** Another task works on the stripe. */
    IN_WORK,
    /** No DataNode can take a unit, or there is not enough evidence. */
    BLOCKED,
    /** A block is no longer part of its file, or has changed. */
    CHANGED,
    /** The NameNode does not yet consider a reported replica corrupt. */
    NOT_REPORTED,
    /** Helpers or targets failed more often than the limit allows. */
    NODES_FAILED,
    /** The rebuilt bytes differ from the recorded ones: a helper silently returned wrong bytes. */
    WRONG_CONTENT,
    /** The block was delivered, but the NameNode does not list it yet. */
    NOT_CONFIRMED
  }
}
