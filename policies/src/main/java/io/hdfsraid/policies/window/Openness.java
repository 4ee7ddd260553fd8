package io.hdfsraid.policies.window;

import java.time.Instant;
import java.util.Optional;

/**
 * Whether work may be done at a moment.
 *
 * @param intensity what share of the usual speed is allowed, in percent; 0 when closed
 * @param until when open or intensity change; empty: never, as things are
 * @param why for people: which window, blackout or operator decides
 */
public record Openness(boolean open, int intensity, Optional<Instant> until, String why) {
  /** Whether the same may be done, whatever the reason. */
  boolean allowsTheSame(Openness other) {
    return open == other.open && intensity == other.intensity;
  }
}
