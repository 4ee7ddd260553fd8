package io.hdfsraid.blockfixer.repair;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.plan.PlannedDelivery;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.erasurecode.UnitSet;
import java.util.List;

/** How a repair ended. */
public sealed interface RepairOutcome {
  LocatedStripe stripe();

  /** In one sentence, for people. */
  String message();

  /**
   * The NameNode shows every rebuilt block whole at its new place.
   *
   * @param delivered where each unit went
   * @param bytesRead from helpers, those of attempts that failed on the way included
   */
  record Repaired(LocatedStripe stripe, List<PlannedDelivery> delivered, long bytesRead)
      implements RepairOutcome {
    public Repaired {
      delivered = List.copyOf(delivered);
    }

    /** How many units were rebuilt in this pass. */
    public int losses() {
      return delivered.size();
    }

    public UnitSet units() {
      return UnitSet.of(delivered.stream().mapToInt(PlannedDelivery::unit));
    }

    public long bytesWritten() {
      return delivered.stream().mapToLong(delivery -> delivery.block().length()).sum();
    }

    /** Some unit is where the audit would not have it, on a shared node or in a full rack. */
    public boolean crowded() {
      return delivered.stream().anyMatch(PlannedDelivery::crowded);
    }

    @Override
    public String message() {
      return "Units %s of %s are whole again; %d bytes were read"
          .formatted(units(), stripe, bytesRead);
    }
  }

  /** Not this time; to be judged and planned anew later. Nothing wrong was left behind. */
  record Postponed(LocatedStripe stripe, Reason reason, String message, long bytesRead)
      implements RepairOutcome {}

  /**
   * What is left does not determine what is lost; the message has the arithmetic.
   *
   * @param health as the attempts have shown it to be: worse than it was judged before them
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
    /** A block is not, or not as recorded, part of its file any more. */
    CHANGED,
    /** The NameNode does not yet take a replica for corrupt that is. */
    NOT_REPORTED,
    /** Helpers or targets failed more often than a repair is tried. */
    NODES_FAILED,
    /** The rebuilt bytes are not the recorded ones: a helper is silently wrong. */
    WRONG_CONTENT,
    /** Delivered, but the NameNode does not show it (yet). */
    NOT_CONFIRMED
  }
}
