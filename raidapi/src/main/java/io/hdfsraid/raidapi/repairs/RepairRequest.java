// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.repairs;

import io.hdfsraid.raidapi.ChangeRequest;
import io.hdfsraid.raidapi.Requests;
import io.hdfsraid.raidapi.StripeId;
import java.util.List;

/**
 * Requests to repair now: the lost units of a file or of all files below a directory, after asking
 * every DataNode concerned; or these stripes; or everything that is known to be lost. Exactly one
 * of the three is given.
 *
 * @param path empty for the other two
 * @param stripes empty for the other two
 * @param all everything in the queue, without looking for more losses; absent means false
 * @param dryRun only show what would happen; absent means true
 */
public record RepairRequest(String path, List<StripeId> stripes, Boolean all, Boolean dryRun)
    implements ChangeRequest {
  public RepairRequest {
    stripes = Requests.stripes(stripes);
    all = all != null && all;
    path = path == null || path.isEmpty() ? "" : Requests.absolute(path);
    dryRun = dryRun == null || dryRun;
    Requests.one("path, stripes and all", !path.isEmpty(), !stripes.isEmpty(), all);
  }

  /** Returns a request for the lost units of a file, or of all files below a directory. */
  public static RepairRequest below(String path, boolean dryRun) {
    return new RepairRequest(path, List.of(), false, dryRun);
  }

  public static RepairRequest of(List<StripeId> stripes, boolean dryRun) {
    return new RepairRequest("", stripes, false, dryRun);
  }

  /** Returns a request for everything that is known to be lost. */
  public static RepairRequest all(boolean dryRun) {
    return new RepairRequest("", List.of(), true, dryRun);
  }

  /** Returns what the request is about: a path, stripes or everything. */
  public String subject() {
    return Requests.subject(path, stripes);
  }
}
