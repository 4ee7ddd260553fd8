package io.hdfsraid.raidnode.rounds;

import io.hdfsraid.raidnode.catalog.Catalog;
import io.hdfsraid.raidnode.raid.Janitor;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Removes what nobody needs any more, from HDFS and from the catalog. */
public final class CleanUpRound {
  private final Janitor janitor;
  private final Catalog catalog;
  private final Journal journal;
  private final History history;
  private final Clock clock;

  /** How much history is kept. */
  public record History(Duration age, int lines) {}

  public CleanUpRound(
      Janitor janitor, Catalog catalog, Journal journal, History history, Clock clock) {
    this.janitor = janitor;
    this.catalog = catalog;
    this.journal = journal;
    this.history = history;
    this.clock = clock;
  }

  /** One round. */
  public Janitor.Swept run() throws IOException {
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
    catalog.history().trim(clock.instant().minus(history.age()), history.lines());
    return swept;
  }
}
