// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.recency.editlog;

import java.io.IOException;

/** The next transactions were deleted from the edit log; only an image contains them. */
public final class MissedEditsException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * @param wanted the first missing transaction
   * @param there the first transaction that is still in the log
   */
  public MissedEditsException(long wanted, long there) {
    super(
        "Transactions %d to %d were deleted from the edit log (dfs.namenode.num.extra.edits.retained sets how many it keeps)"
            .formatted(wanted, there - 1));
  }
}
