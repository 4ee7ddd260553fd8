// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

import io.hdfsraid.recency.namespace.Inode;
import java.util.List;
import java.util.Optional;

/**
 * Updates the index from a listing of the whole namespace, directory by directory, parents first.
 * Unchanged entries are not written.
 *
 * <p>An entry that its directory does not contain any more is hidden at once. {@link #end} removes
 * it unless it was found in another directory by then, so a moved file keeps its access history.
 * There is one exception: a file that moves from a directory that is still to be listed to one that
 * was listed already loses its history, and the next listing finds it as a new file.
 */
public final class ListingUpdate {
  private static final int STEP = 10_000;

  private final NamespaceIndex index;
  private final long startedAt;
  private ListingResult so = new ListingResult(0, 0, 0, 0, 0, 0, 0);

  ListingUpdate(NamespaceIndex index, long startedAt) {
    this.index = index;
    this.startedAt = startedAt;
  }

  /**
   * Applies one directory.
   *
   * @param parent the inode id of the parent directory; any number for the root
   * @param children all entries of the directory
   */
  public void directory(Inode.Directory directory, long parent, List<? extends Inode> children) {
    index.write(
        generation -> {
          IndexUpdate update = new IndexUpdate(generation);
          InodeReconciler reconciler = new InodeReconciler(update, index.decay());
          reconciler.reconcile(directory, parent);
          reconciler.reconcileAll(directory.id(), List.copyOf(children), startedAt);
          if (!update.isEmpty()) {
            update.commit(generation.state(), Optional.empty());
          }
          so =
              new ListingResult(
                  so.directories() + 1,
                  so.entries() + children.size(),
                  so.added() + reconciler.added(),
                  so.identified() + reconciler.identified(),
                  so.changed() + reconciler.changed(),
                  so.moved() + reconciler.moved(),
                  so.removed());
          return so;
        });
  }

  /**
   * Removes the entries that were not found, and forgets the last transaction, because a listing
   * belongs to no single one. Must be called only after the whole namespace was listed.
   */
  public ListingResult end() {
    long removed = 0;
    for (int step = STEP; step == STEP; removed += step) {
      step = index.write(ListingUpdate::forget);
    }
    so =
        new ListingResult(
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
    IndexUpdate update = new IndexUpdate(generation);
    List<Child> lost = update.childrenBefore(InodeReconciler.DETACHED, STEP);
    for (Child child : lost) {
      update
          .entry(child)
          .filter(entry -> entry.parent() == InodeReconciler.DETACHED)
          .ifPresent(update::remove);
    }
    if (!lost.isEmpty()) {
      update.commit(generation.state(), Optional.empty());
    }
    return lost.size();
  }
}
