package io.hdfsraid.raidnode.job;

import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidnode.journal.RaidEvents;

/**
 * The listeners that watch the jobs work.
 *
 * @param events hears of each outcome
 * @param steps hears of each step of the pipelines
 */
public record JobListeners(RaidEvents events, StepListener steps) {
  public static final JobListeners NONE = new JobListeners(RaidEvents.NONE, StepListener.NONE);

  /** Returns listeners that hear of outcomes only. */
  public static JobListeners of(RaidEvents events) {
    return new JobListeners(events, StepListener.NONE);
  }
}
