// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.policies.window;

import java.time.Instant;
import java.util.Optional;

/**
 * The state of the working hours at one time: open or closed, and at which speed.
 *
 * @param intensity the share of the usual speed that is allowed, in percent; 0 when closed
 * @param until when the state changes next; empty if it never does with the present settings
 * @param why the window, blackout or operator that decides, for people
 */
public record WindowState(boolean open, int intensity, Optional<Instant> until, String why) {
  /** Whether the same may be done, whatever the reason. */
  boolean allowsTheSame(WindowState other) {
    return open == other.open && intensity == other.intensity;
  }
}
