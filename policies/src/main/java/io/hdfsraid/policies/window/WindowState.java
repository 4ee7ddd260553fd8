package io.hdfsraid.policies.window;

import java.time.Instant;
import java.util.Optional;

/**
 * The state of the working hours at one time: open or closed, and at which speed.
 *
 * @param intensity what share of the usual speed is allowed, in percent; 0 when closed
 * @param until when open or intensity change; empty: never, as things are
 * @param why for people: which window, blackout or operator decides
 */
public record WindowState(boolean open, int intensity, Optional<Instant> until, String why) {
  /** Whether the same may be done, whatever the reason. */
  boolean allowsTheSame(WindowState other) {
    return open == other.open && intensity == other.intensity;
  }
}
