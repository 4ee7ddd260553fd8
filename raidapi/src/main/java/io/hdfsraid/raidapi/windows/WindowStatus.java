// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.windows;

import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether a policy may act now.
 *
 * @param open whether it may
 * @param percent the share of the full speed at which it may act, 0 to 100
 * @param until when this changes; empty if no window or blackout will change it
 * @param why the reason, for people
 */
public record WindowStatus(boolean open, int percent, Optional<Instant> until, String why) {
  public WindowStatus {
    until = Absent.toEmpty(until);
    why = Absent.toEmpty(why);
  }
}
