// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.catalog;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the records of files in step with a pass through all files by inode id. A record that
 * appears behind the current position is not returned. Used by one thread.
 */
public final class KnownInOrder {
  private static final int PAGE = 1_000;

  private final KnownFiles files;
  private final Consumer<FileRecord> passed;
  private final Deque<FileRecord> page = new ArrayDeque<>();
  private Optional<Long> next;

  /**
   * Creates a cursor that begins after this inode id.
   *
   * @param passed receives the records that are skipped
   */
  public KnownInOrder(KnownFiles files, long after, Consumer<FileRecord> passed) {
    this.next = Optional.of(after);
    this.files = files;
    this.passed = passed;
  }

  /** The one with this inode id, which is higher than those before. */
  public Optional<FileRecord> at(long inode) {
    while (true) {
      FileRecord first = first();
      if (first == null || first.inode() > inode) {
        return Optional.empty();
      }
      page.remove();
      if (first.inode() == inode) {
        return Optional.of(first);
      }
      passed.accept(first);
    }
  }

  /** There are no more on the way. */
  public void end() {
    for (FileRecord left = first(); left != null; left = first()) {
      page.remove();
      passed.accept(left);
    }
  }

  /** Null at the end. */
  private FileRecord first() {
    if (page.isEmpty() && next.isPresent()) {
      KnownFiles.Page more = files.page(Optional.empty(), file -> true, next.get(), PAGE, PAGE);
      page.addAll(more.files());
      next = more.next();
    }
    return page.peek();
  }
}
