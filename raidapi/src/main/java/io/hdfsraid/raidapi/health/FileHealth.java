// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidapi.health;

import io.hdfsraid.raidapi.Absent;
import java.util.List;

/**
 * The health of a raided file.
 *
 * @param state state of its worst stripe
 * @param furtherLosses number of further losses that its worst stripe tolerates
 * @param stripes number of its stripes
 * @param notHealthy number of its stripes that are not healthy
 * @param unreadableBytes bytes of data that cannot be rebuilt
 * @param details the stripes that are not healthy, worst first and bounded; all stripes if the path
 *     is one file
 * @param problem why the state is unknown; may be empty
 */
public record FileHealth(
    long inode,
    String path,
    String codec,
    long length,
    HealthState state,
    int furtherLosses,
    int stripes,
    int notHealthy,
    long unreadableBytes,
    List<StripeReport> details,
    String problem) {
  public FileHealth {
    details = Absent.toEmpty(details);
    problem = Absent.toEmpty(problem);
  }
}
