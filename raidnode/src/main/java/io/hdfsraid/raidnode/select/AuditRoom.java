// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.select;

import io.hdfsraid.raidnode.raiding.core.ExcessReplicas;
import io.hdfsraid.raidnode.raiding.core.UnauditedStripes;
import io.hdfsraid.raidnode.upkeep.ReconcileJob;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The room for further unaudited stripes. Raiding waits for it: parity of files that may not be
 * reduced yet would only fill the cluster. Safe for concurrent use.
 */
public final class AuditRoom {
  /**
   * The time between two checks whether HDFS has dropped the excess replicas. HDFS takes seconds to
   * hours.
   */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** After a failover HDFS drops nothing before full block reports, which take hours as well. */
  private static final Duration LONG_PAUSE = Duration.ofSeconds(15);

  private final UnauditedStripes unaudited;
  private final ReconcileJob reconciler;

  /**
   * Creates the room that audits make.
   *
   * @param reconciler carries out the audits
   */
  public AuditRoom(UnauditedStripes unaudited, ReconcileJob reconciler) {
    this.unaudited = unaudited;
    this.reconciler = reconciler;
  }

  /**
   * Audits until another file may be reduced. One caller audits, the others wait for it.
   *
   * @param mayRaid whether the caller would still raid; it waits no longer when it would not
   */
  synchronized void await(BooleanSupplier mayRaid) throws IOException {
    while (!unaudited.hasRoom() && mayRaid.getAsBoolean()) {
      reconciler.run();
      if (!unaudited.hasRoom()) {
        pause(
            unaudited.excess().filter(ExcessReplicas::awaitReports).isPresent()
                ? LONG_PAUSE
                : PAUSE);
      }
    }
  }

  private static void pause(Duration pause) throws IOException {
    try {
      Thread.sleep(pause.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for audits");
    }
  }
}
