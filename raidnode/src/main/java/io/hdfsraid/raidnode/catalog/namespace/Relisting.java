package io.hdfsraid.raidnode.catalog.namespace;

import io.hdfsraid.raidnode.namespace.Inode;
import java.util.List;
import java.util.Optional;

/**
 * Takes in a whole namespace as it is listed, a directory at a time, those above before those
 * below. Where nothing has changed nothing is written.
 *
 * <p>What a directory does not have any more is not answered from then on. It is forgotten by
 * {@link #end} unless it was met elsewhere by then, so that what has been moved keeps its recency.
 * What was moved from a directory that is listed later to one that was listed before is forgotten,
 * and found as new by the next listing.
 */
public final class Relisting {
  private static final int STEP = 10_000;

  private final NamespaceIndex index;
  private final long startedAt;
  private Relisted so = new Relisted(0, 0, 0, 0, 0, 0, 0);

  Relisting(NamespaceIndex index, long startedAt) {
    this.index = index;
    this.startedAt = startedAt;
  }

  /**
   * Takes in a directory.
   *
   * @param parent the number of the directory it is in; of the root, whatever it is
   * @param children all that is in it
   */
  public void directory(Inode.Directory directory, long parent, List<? extends Inode> children) {
    index.write(
        generation -> {
          Draft draft = new Draft(generation);
          Settler settler = new Settler(draft, index.smoothing());
          settler.settle(directory, parent);
          settler.settleAll(directory.id(), List.copyOf(children), startedAt);
          if (!draft.isEmpty()) {
            draft.commit(generation.state(), Optional.empty());
          }
          so =
              new Relisted(
                  so.directories() + 1,
                  so.entries() + children.size(),
                  so.added() + settler.added(),
                  so.identified() + settler.identified(),
                  so.changed() + settler.changed(),
                  so.moved() + settler.moved(),
                  so.removed());
          return so;
        });
  }

  /**
   * Forgets what was not met, and which transactions were taken in: the index is of no single one
   * now. To be called only when all of the namespace has been listed.
   */
  public Relisted end() {
    long removed = 0;
    for (int step = STEP; step == STEP; removed += step) {
      step = index.write(Relisting::forget);
    }
    so =
        new Relisted(
            so.directories(),
            so.entries(),
            so.added(),
            so.identified(),
            so.changed(),
            so.moved(),
            so.removed() + removed);
    index.forgetTransaction();
    return so;
  }

  private static int forget(Generation generation) {
    Draft draft = new Draft(generation);
    List<Child> lost = draft.childrenBefore(Settler.LIMBO, STEP);
    for (Child child : lost) {
      draft.entry(child).filter(entry -> entry.parent() == Settler.LIMBO).ifPresent(draft::remove);
    }
    if (!lost.isEmpty()) {
      draft.commit(generation.state(), Optional.empty());
    }
    return lost.size();
  }
}
