// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.index;

/** Receives which files users have changed. Called by one thread at a time. */
@FunctionalInterface
public interface ChangeListener {
  ChangeListener NONE = changes -> {};

  /**
   * Receives what a batch of events concerns, before the index keeps the batch: after a crash, or
   * if this method throws, the same changes are received again. It must not wait, because the index
   * is locked meanwhile.
   */
  void changed(FileChanges changes);
}
