// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.repairs;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.hdfsraid.raidapi.ChangeRequest;
import io.hdfsraid.raidapi.Requests;
import io.hdfsraid.raidapi.StripeId;
import java.time.Duration;
import java.util.List;

/**
 * Requests to cancel repairs: the requests for exactly this path, all requests, or the repair of
 * these stripes, which the RaidNode may have started by itself. Exactly one of the three is given.
 *
 * @param path empty for the other two
 * @param stripes empty for the other two
 * @param all every request; absent means false
 * @param pause how long the stripes are not repaired; absent means an hour
 * @param dryRun only show what would happen; absent means true
 */
public record CancelRepairRequest(
    String path,
    List<StripeId> stripes,
    Boolean all,
    @JsonProperty("pauseSeconds") Duration pause,
    Boolean dryRun)
    implements ChangeRequest {
  public static final Duration DEFAULT_PAUSE = Duration.ofHours(1);

  /** The longest pause, so that no stripe with lost units is forgotten. */
  public static final Duration LONGEST_PAUSE = Duration.ofDays(7);

  public CancelRepairRequest {
    stripes = Requests.stripes(stripes);
    all = all != null && all;
    path = path == null || path.isEmpty() ? "" : Requests.absolute(path);
    pause = pause == null ? DEFAULT_PAUSE : pause;
    dryRun = dryRun == null || dryRun;
    Requests.one("path, stripes and all", !path.isEmpty(), !stripes.isEmpty(), all);
    if (pause.isNegative() || pause.compareTo(LONGEST_PAUSE) > 0) {
      throw new IllegalArgumentException(
          "Repairs of stripes can be paused for at most %d days, but got %s"
              .formatted(LONGEST_PAUSE.toDays(), pause));
    }
  }

  /** Returns what the request is about: a path, stripes or everything. */
  public String subject() {
    return Requests.subject(path, stripes);
  }
}
