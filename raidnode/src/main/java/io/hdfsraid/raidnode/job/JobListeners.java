// SPDX-License-Identifier: Apache-2.0
package io.hdfsraid.raidnode.job;

import io.hdfsraid.drfs.step.StepListener;
import io.hdfsraid.raidnode.journal.RaidEvents;
import io.hdfsraid.raidnode.schedule.KnownTrouble;

/**
 * The listeners that watch the jobs work.
 *
 * @param events hears of each outcome
 * @param steps hears of each step of the pipelines
 * @param trouble tells failures that need not be written down each time
 */
public record JobListeners(RaidEvents events, StepListener steps, KnownTrouble trouble) {
  public static final JobListeners NONE = new JobListeners(RaidEvents.NONE, StepListener.NONE);

  public JobListeners(RaidEvents events, StepListener steps) {
    this(events, steps, KnownTrouble.NONE);
  }

  /** Returns listeners that hear of outcomes only. */
  public static JobListeners of(RaidEvents events) {
    return new JobListeners(events, StepListener.NONE);
  }
}
