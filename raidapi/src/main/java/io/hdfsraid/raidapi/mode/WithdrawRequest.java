// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.mode;

import io.hdfsraid.raidapi.Absent;
import io.hdfsraid.raidapi.ChangeRequest;
import io.hdfsraid.raidapi.Requests;
import java.util.List;

/**
 * Requests that every raided file gets its replicas back and that policies raid nothing more.
 *
 * @param purge also delete the parity as soon as no block needs it, instead of keeping it in
 *     quarantine; absent means false
 * @param removeRoot also remove the root directory when nothing else is left in it, the owner file
 *     last; implies {@code purge}; absent means false
 * @param abandon files whose lost blocks a withdrawal that is under way need not wait for, because
 *     nothing can rebuild them; such a request does nothing else, so it has neither {@code purge}
 *     nor {@code removeRoot}
 * @param dryRun only show what would happen; absent means true
 */
public record WithdrawRequest(
    Boolean purge, Boolean removeRoot, List<String> abandon, Boolean dryRun)
    implements ChangeRequest {
  /** Most files of one request. */
  public static final int MOST_ABANDONED = 100;

  public WithdrawRequest {
    removeRoot = removeRoot != null && removeRoot;
    purge = removeRoot || (purge != null && purge);
    dryRun = dryRun == null || dryRun;
    abandon = Absent.toEmpty(abandon).stream().map(Requests::absolute).distinct().toList();
    if (!abandon.isEmpty() && purge) {
      throw new IllegalArgumentException(
          "abandon goes without purge and removeRoot: it belongs to the withdrawal that is under way");
    }
    if (abandon.size() > MOST_ABANDONED) {
      throw new IllegalArgumentException(
          "abandon may name %d files at once, but has %d"
              .formatted(MOST_ABANDONED, abandon.size()));
    }
  }

  /** A request to unraid every file. */
  public WithdrawRequest(Boolean purge, Boolean removeRoot, Boolean dryRun) {
    this(purge, removeRoot, List.of(), dryRun);
  }

  /** Returns a request to abandon files. */
  public static WithdrawRequest abandoning(List<String> files, boolean dryRun) {
    return new WithdrawRequest(false, false, files, dryRun);
  }
}
