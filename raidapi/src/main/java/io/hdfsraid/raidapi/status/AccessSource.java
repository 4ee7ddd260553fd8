// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.status;

import io.hdfsraid.raidapi.Absent;
import java.time.Instant;
import java.util.Optional;

/**
 * A source of knowledge about accesses to files.
 *
 * @param name listing, fsimage, inotify or audit-log
 * @param trackingSince since when the source misses no access; empty if it does not report accesses
 * @param lastHeard when the source last reported anything
 * @param problem why the source is incomplete; may be empty
 */
public record AccessSource(
    String name, Optional<Instant> trackingSince, Optional<Instant> lastHeard, String problem) {
  public AccessSource {
    trackingSince = Absent.toEmpty(trackingSince);
    lastHeard = Absent.toEmpty(lastHeard);
    problem = Absent.toEmpty(problem);
  }
}
