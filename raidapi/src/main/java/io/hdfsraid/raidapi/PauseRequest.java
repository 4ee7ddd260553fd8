package io.hdfsraid.raidapi;

/**
 * Let policies raid nothing for now, or let them go on; going on also ends a withdrawal.
 *
 * @param paused absent means true
 * @param dryRun only say what would happen; absent means true
 */
public record PauseRequest(Boolean paused, Boolean dryRun) {
  public PauseRequest {
    paused = paused == null || paused;
    dryRun = dryRun == null || dryRun;
  }
}
