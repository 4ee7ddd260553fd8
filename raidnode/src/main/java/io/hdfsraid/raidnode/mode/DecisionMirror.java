// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.mode;

import io.hdfsraid.raidnode.catalog.Notes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Keeps a copy of what operators have decided outside of the catalog, which is only a notebook: a
 * daemon with a new catalog must not go on raiding while policies were paused, nor stop in the
 * middle of a withdrawal. Called by one thread at a time.
 *
 * <p>Each start of a daemon leaves a token of its own in the catalog and beside the copy. If they
 * are equal, the catalog is the one that made the copy, and it may know more. If they are not, a
 * daemon with another catalog, or with a copy of this one, has worked since, and what it left
 * counts.
 */
public final class DecisionMirror {
  private static final String MIRRORED = "decisions-mirrored";

  /** Beside the copy: the token of the daemon that made it. */
  static final String BY = "by";

  private static final List<String> NAMES =
      List.of(
          OperatingMode.PAUSED,
          OperatingMode.SET_BACK,
          OperatingMode.WITHDRAWAL,
          WorkingHours.NOTE);

  private final Notes notes;
  private final DecisionStore store;
  private Optional<String> token = Optional.empty();

  public DecisionMirror(Notes notes, DecisionStore store) {
    this.notes = notes;
    this.store = store;
  }

  /**
   * Takes the decisions over if the copy was made from another catalog. To be called before {@link
   * #claim}, which makes this catalog the one of the copy: if the daemon dies between the two, this
   * is done again.
   *
   * @return whether a daemon with another catalog has worked since this one was used
   */
  public boolean takeOver() throws IOException {
    Map<String, String> there = store.read();
    Optional<String> ours = notes.text(MIRRORED);
    Optional<String> last = Optional.ofNullable(there.get(BY));
    boolean byAnother = last.isPresent() ? !last.equals(ours) : ours.isEmpty();
    if (byAnother) {
      for (String name : NAMES) {
        Optional.ofNullable(there.get(name))
            .ifPresentOrElse(decision -> notes.text(name, decision), () -> notes.remove(name));
      }
    }
    return byAnother && ours.isPresent();
  }

  /**
   * Makes the copy that of this catalog. To be called once, before {@link #update}, when all is
   * done that follows from what {@link #takeOver} has found.
   */
  public void claim() throws IOException {
    String fresh = UUID.randomUUID().toString();
    store.write(BY, Optional.of(fresh));
    notes.text(MIRRORED, fresh);
    token = Optional.of(fresh);
  }

  /** Writes what the store does not have, as after a change, or in a root that was made again. */
  public void update() throws IOException {
    Map<String, String> there = store.read();
    keep(there, BY, token); // first, so that what follows is never taken for another's
    for (String name : NAMES) {
      keep(there, name, notes.text(name));
    }
  }

  private void keep(Map<String, String> there, String name, Optional<String> now)
      throws IOException {
    if (!now.equals(Optional.ofNullable(there.get(name)))) {
      store.write(name, now);
    }
  }
}
