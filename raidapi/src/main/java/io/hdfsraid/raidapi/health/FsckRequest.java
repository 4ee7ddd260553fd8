// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.health;

import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.Paging;
import io.hdfsraid.raidapi.Requests;
import java.util.Optional;

/**
 * Requests to check the health of a file, or of all raided files below a directory, as a task.
 *
 * @param limit most files that are not healthy to list, 1 to {@value Paging#MAX_LIMIT}; absent
 *     means {@value Paging#DEFAULT_LIMIT}
 * @param cursor the field {@code next} of an earlier report; absent for the first files
 */
public record FsckRequest(String path, Integer limit, Optional<String> cursor) {
  public FsckRequest {
    path = Requests.absolute(path);
    limit = limit == null ? Paging.DEFAULT_LIMIT : limit;
    cursor = Absent.toEmpty(cursor);
    new Paging(limit, cursor); // checks the limit
  }

  /** Returns which of the files that are not healthy to list. */
  public Paging paging() {
    return new Paging(limit, cursor);
  }
}
