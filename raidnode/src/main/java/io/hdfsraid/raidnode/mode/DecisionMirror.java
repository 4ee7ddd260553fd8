package io.hdfsraid.raidnode.mode;

import io.hdfsraid.raidnode.catalog.Notes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps a copy of what operators have decided outside of the catalog, which is only a notebook: a
 * daemon with a new catalog must not go on raiding while policies were paused, nor stop in the
 * middle of a withdrawal. Called by one thread at a time.
 */
public final class DecisionMirror {
  private static final String MIRRORED = "decisions-mirrored";

  private static final List<String> NAMES =
      List.of(OperatingMode.PAUSED, OperatingMode.WITHDRAWAL, WorkingHours.NOTE);

  private final Notes notes;
  private final DecisionStore store;

  public DecisionMirror(Notes notes, DecisionStore store) {
    this.notes = notes;
    this.store = store;
  }

  /** Takes the decisions over if the catalog is new. */
  public void takeOver() throws IOException {
    if (notes.text(MIRRORED).isEmpty()) {
      Map<String, String> there = store.read();
      for (String name : NAMES) {
        if (there.containsKey(name)) {
          notes.text(name, there.get(name));
        }
      }
      notes.text(MIRRORED, "yes");
    }
  }

  /** Writes what the store does not have, as after a change, or in a root that was made again. */
  public void update() throws IOException {
    takeOver();
    Map<String, String> there = store.read();
    for (String name : NAMES) {
      Optional<String> now = notes.text(name);
      if (!now.equals(Optional.ofNullable(there.get(name)))) {
        store.write(name, now);
      }
    }
  }
}
