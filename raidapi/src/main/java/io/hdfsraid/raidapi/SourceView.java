package io.hdfsraid.raidapi;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that tells when files are used.
 *
 * @param name listing, fsimage, inotify, audit-log
 * @param trackingSince since when it misses no access; empty when it tells nothing of accesses
 * @param lastHeard when it last told anything
 * @param problem why its word is not complete; may be empty
 */
public record SourceView(
    String name, Optional<Instant> trackingSince, Optional<Instant> lastHeard, String problem) {
  public SourceView {
    trackingSince = Absent.toEmpty(trackingSince);
    lastHeard = Absent.toEmpty(lastHeard);
    problem = Absent.toEmpty(problem);
  }
}
