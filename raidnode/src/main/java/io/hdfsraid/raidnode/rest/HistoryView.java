package io.hdfsraid.raidnode.rest;

import io.hdfsraid.raidapi.HistoryEntry;
import io.hdfsraid.raidapi.Page;
import io.hdfsraid.raidapi.Paging;

/** What was done. */
@FunctionalInterface
public interface HistoryView {
  /**
   * A page of it, newest first.
   *
   * @param below a file, or a directory with everything below it
   * @throws ApiFailure when the cursor is not one
   */
  Page<HistoryEntry> list(String below, Paging paging);
}
