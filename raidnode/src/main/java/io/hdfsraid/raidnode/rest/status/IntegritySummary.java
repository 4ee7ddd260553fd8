// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.rest.status;

import io.hdfsraid.raidapi.status.Status;
import io.hdfsraid.raidnode.catalog.Notes;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads from the notes of the daemon how old its knowledge of raided files is. */
public final class IntegritySummary {
  private final Notes notes;
  private final Predicate<Instant> reportsChangesSince;

  /**
   * @param reportsChangesSince whether the edit log reports every change since a time
   */
  public IntegritySummary(Notes notes, Predicate<Instant> reportsChangesSince) {
    this.notes = notes;
    this.reportsChangesSince = reportsChangesSince;
  }

  Optional<Instant> lastCheck() {
    return notes.instant(Notes.LAST_CHECK);
  }

  /** Returns the last check of all raided files; empty while the edit log is followed. */
  Optional<Status.FullCheck> lastFullCheck(Instant now) {
    return reportsChangesSince.test(now)
        ? Optional.empty()
        : Optional.of(new Status.FullCheck(notes.instant(Notes.LAST_FULL_CHECK)));
  }
}
