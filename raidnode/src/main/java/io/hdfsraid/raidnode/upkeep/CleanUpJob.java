// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.upkeep;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.journal.Journal;
import io.hdfsraid.raidnode.raiding.file.Janitor;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Removes what is no longer needed from HDFS and from the catalog. */
public final class CleanUpJob {
  /** Whatever stays raided is read before that, or holds raiding back. */
  private static final Duration LONGEST_UNREAD = Duration.ofDays(60);

  private final Janitor janitor;
  private final Catalog catalog;
  private final Journal journal;
  private final History history;
  private final Clock clock;

  /** How much history is kept. */
  public record History(Duration age, int lines) {}

  public CleanUpJob(
      Janitor janitor, Catalog catalog, Journal journal, History history, Clock clock) {
    this.janitor = janitor;
    this.catalog = catalog;
    this.journal = journal;
    this.history = history;
    this.clock = clock;
  }

  /** Sweeps drafts, quarantine and history once; the history also if HDFS lets nothing go. */
  public Janitor.Swept run() throws IOException {
    try {
      return sweep();
    } finally {
      trim();
    }
  }

  private void trim() {
    try {
      catalog.encodingReads().removeBefore(clock.instant().minus(LONGEST_UNREAD));
    } finally {
      catalog.history().trim(clock.instant().minus(history.age()), history.lines());
    }
  }

  private Janitor.Swept sweep() throws IOException {
    Janitor.Swept swept = janitor.sweep();
    if (swept.drafts() > 0 || swept.purged() > 0 || swept.directories() > 0) {
      journal.note(
          "cleaned",
          Optional.empty(),
          "",
          true,
          "clean-up",
          "%d drafts, %d quarantined parity files and %d empty directories removed, %d kept in quarantine"
              .formatted(swept.drafts(), swept.purged(), swept.directories(), swept.kept()),
          0,
          0);
    }
    return swept;
  }
}
