package io.hdfsraid.raidapi;

import java.util.List;

/**
 * How well a raided file is.
 *
 * @param state that of its worst stripe
 * @param canBear further losses its worst stripe can bear
 * @param stripes how many it has
 * @param notHealthy how many of them are not healthy
 * @param unreadableBytes bytes of data that cannot be rebuilt
 * @param details the stripes that are not healthy, worst first and bounded; all of them when one
 *     file was asked for
 * @param problem why the state is unknown; may be empty
 */
public record FileHealth(
    long inode,
    String path,
    String codec,
    long length,
    HealthState state,
    int canBear,
    int stripes,
    int notHealthy,
    long unreadableBytes,
    List<StripeHealth> details,
    String problem) {
  public FileHealth {
    details = Absent.toEmpty(details);
    problem = Absent.toEmpty(problem);
  }
}
