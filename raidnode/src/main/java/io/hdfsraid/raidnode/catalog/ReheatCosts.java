package io.hdfsraid.raidnode.catalog;

import io.hdfsraid.raidapi.ReheatCost;
import java.time.Clock;
import java.util.function.UnaryOperator;

/**
 * Counts what it costs to have raided files that are used, over restarts. Safe for concurrent use.
 */
public final class ReheatCosts {
  private static final String NOTE = "reheat-costs";

  private final Notes notes;
  private final Clock clock;

  ReheatCosts(Notes notes, Clock clock) {
    this.notes = notes;
    this.clock = clock;
  }

  /** Raided files were opened so many times. */
  public void opened(long times) {
    if (times > 0) {
      add(
          use ->
              new ReheatCost(
                  use.since(), use.opens() + times, use.reheatedFiles(), use.reheatedBytes()));
    }
  }

  /** A raided file gets its replicas back for having been read: so many bytes are copied. */
  public void reheated(long bytes) {
    add(
        use ->
            new ReheatCost(
                use.since(), use.opens(), use.reheatedFiles() + 1, use.reheatedBytes() + bytes));
  }

  private synchronized void add(UnaryOperator<ReheatCost> more) {
    notes.record(NOTE, more.apply(now()));
  }

  /** All so far. */
  public synchronized ReheatCost now() {
    return notes
        .record(NOTE, ReheatCost.class)
        .orElseGet(
            () -> {
              ReheatCost none = new ReheatCost(clock.instant(), 0, 0, 0);
              notes.record(NOTE, none);
              return none;
            });
  }
}
