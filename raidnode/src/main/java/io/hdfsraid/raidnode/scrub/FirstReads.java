// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.scrub;

import io.hdfsraid.raidnode.catalog.ScrubDepth;
import io.hdfsraid.raidnode.catalog.ScrubLedger;
import java.time.Instant;
import java.util.Optional;

/**
 * Tells whether the deep scrub keeps up with raiding. Raiding drops two good replicas for one that
 * perhaps nobody has read, so it must not run away from the scrub that reads it.
 */
public final class FirstReads {
  private final ScrubLedger ledger;
  private final ScrubJob.Settings settings;

  public FirstReads(ScrubLedger ledger, ScrubJob.Settings settings) {
    this.ledger = ledger;
    this.settings = settings;
  }

  /**
   * Returns since when parity and its data wait for their first read, if that is too long; empty if
   * deep scrubs are turned off.
   */
  public Optional<Instant> lateSince(Instant now) {
    return late(ledger.neverScrubbedSince(ScrubDepth.DEEP), now);
  }

  /**
   * Returns {@link #lateSince} of what could be read now. What waits to be tried again is left out:
   * one DataNode that does not answer must not keep all files from being raided.
   */
  public Optional<Instant> behindSince(Instant now) {
    return late(ledger.neverScrubbedSince(ScrubDepth.DEEP, now), now);
  }

  private Optional<Instant> late(Optional<Instant> since, Instant now) {
    return since.filter(
        from -> !settings.deepEvery().isZero() && from.plus(settings.firstRead()).isBefore(now));
  }
}
