// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.journal;

import io.hdfsraid.blockfixer.detect.StripeHealth;
import io.hdfsraid.blockfixer.repair.RepairOutcome;
import io.hdfsraid.drfs.block.Distance;
import io.hdfsraid.drfs.stripe.LocatedStripe;
import io.hdfsraid.raidnode.catalog.FileRecord;
import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.containers.ContainerJobListener;
import io.hdfsraid.raidnode.raiding.core.RaidOutcome;
import io.hdfsraid.raidnode.traffic.Direction;
import io.hdfsraid.raidnode.traffic.Purpose;
import io.hdfsraid.raidnode.traffic.TransferListener;

/**
 * Receives the results of the jobs. Metrics count them, and a progress bar shows them. Called from
 * many threads.
 */
public interface RaidEvents extends TransferListener, ContainerJobListener {
  RaidEvents NONE = new RaidEvents() {};

  @Override
  default void transferred(Purpose purpose, Direction direction, Distance distance, long bytes) {}

  /** So many more source bytes were encoded. */
  default void encoded(long inode, long bytes) {}

  /**
   * Work on a file ended for now.
   *
   * @param action {@code raid}, {@code unraid} or {@code reconcile}
   */
  default void worked(String action, FileRecord file, RaidOutcome outcome) {}

  /** A raided file was read again, and gets replicas back: so many bytes are copied. */
  default void reheated(FileRecord file, long bytes) {}

  /** A stripe was found not to be healthy. */
  default void found(StripeHealth health) {}

  /**
   * A repair ended for now.
   *
   * @param losses how many units of the stripe were lost
   */
  default void repaired(RepairOutcome outcome, int losses) {}

  /**
   * A repair has read around a slow DataNode.
   *
   * @param faster what was read in its place was there first
   */
  default void hedged(boolean faster) {}

  /** Reading around slow DataNodes has taken so many bytes more than the plans had. */
  default void hedgeRead(long bytes) {}

  /** Whether most repairs pause from now on, because much has failed at once. */
  default void storm(boolean pausing) {}

  /** A stripe was scrubbed. */
  default void scrubbed(ScrubDepth depth, LocatedStripe stripe) {}

  /** The audit of all stripes has come further, or has ended. */
  default void audited(AuditPass pass) {}
}
