package io.hdfsraid.raidnode.recency;

import java.io.IOException;

/** What comes next has been removed from the edit log: only an image has it. */
public final class MissedEditsException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * A gap.
   *
   * @param wanted the first transaction that is gone
   * @param there the first that is left
   */
  public MissedEditsException(long wanted, long there) {
    super(
        "The edit log has no transactions %d to %d any more (dfs.namenode.num.extra.edits.retained says how many it keeps)"
            .formatted(wanted, there - 1));
  }
}
