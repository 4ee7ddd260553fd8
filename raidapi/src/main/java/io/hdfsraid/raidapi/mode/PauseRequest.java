package io.hdfsraid.raidapi.mode;

/**
 * Requests that policies raid nothing, or that they raid again. Raiding again also ends a
 * withdrawal.
 *
 * @param paused absent means true
 * @param dryRun only show what would happen; absent means true
 */
public record PauseRequest(Boolean paused, Boolean dryRun) {
  public PauseRequest {
    paused = paused == null || paused;
    dryRun = dryRun == null || dryRun;
  }
}
